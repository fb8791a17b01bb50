import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  'README.md',
  'docs/scanner.md',
  'docs/pipelines.md',
  'docs/directory-setup.md',
  'packages/scanner/README.md',
];

describe('examples and guides', () => {
  it('examples and guides do not install packages by names that others could register', async () => {
    const names = await readdir(path.join(CHECKOUT, 'examples'), { recursive: true, withFileTypes: true });
    const examples = names
      .filter((entry) => entry.isFile() && /\.(ya?ml|sh)$|Dockerfile$/.test(entry.name))
      .map((entry) => path.relative(CHECKOUT, path.join(entry.parentPath, entry.name)));
    assert.ok(examples.length >= 6);
    for (const file of [...examples, ...PAGES]) {
      const text = await readFile(path.join(CHECKOUT, file), 'utf8');
      assert.doesNotMatch(text, /(npm (i|install|exec)|npx|package:|SLUICE_PACKAGE:) .*@sluice\//, file);
    }
  });
});
