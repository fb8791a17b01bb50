import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SETTING_NAMES, SETTINGS } from '../../packages/server/src/config/config.ts';
import { helpOf } from '../../packages/server/src/config/setting.ts';
import { readPage } from './support/markdown.ts';

/** Table rows with the name of a setting in the first column and its default in the second. */
const ROWS = [...readPage('docs/settings.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| ([^|]+?) \| [^|]+ \|$/gm)];

describe('docs/settings.md', () => {
  it('documents every setting once, and no others', () => {
    assert.deepEqual(ROWS.map(([, name]) => name).sort(), [...SETTING_NAMES].sort());
  });

  it('documents the default of each setting', () => {
    const documented = ROWS.map(([, name = '', value = '']) => [name, value.replaceAll('`', '')]);
    const defaults = new Map(
      Object.entries(SETTINGS).map(([name, schema]) => [name, helpOf(schema).default ?? 'none']),
    );
    assert.deepEqual(
      documented,
      documented.map(([name = '']) => [name, defaults.get(name) ?? 'none']),
    );
  });
});
