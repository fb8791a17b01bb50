import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { getDevToolsSkipReason } from '../../../../../scripts/dev-tools.ts';
import { ICONS, lucideIcons, lucideLicense } from '../../../scripts/lucide-icons.ts';

const CONSOLE = new URL('../../../', import.meta.url);
const read = (file: string) => readFile(new URL(file, CONSOLE), 'utf8');

describe('console icons', () => {
  it('keeps console icons identical to the installed version of Lucide', {
    skip: getDevToolsSkipReason(),
  }, async () => {
    const stale = 'The icons are outdated. Run "npm run generate:icons --workspace @sluice/console".';
    assert.ok((await read('src/components/icons/lucide-icons.ts')) === (await lucideIcons()), stale);
    assert.ok((await read('public/lucide-license.txt')) === (await lucideLicense()), stale);
  });

  it('includes only the Lucide icons that the console uses', async () => {
    const files = globSync('src/**/*.tsx', { cwd: fileURLToPath(CONSOLE) });
    const texts = await Promise.all(files.map(read));
    const imports = texts.flatMap(
      (text) => text.match(/import \{[^}]+\} from '[^']+lucide-icons\.ts'/g) ?? [],
    );
    const used = new Set(imports.flatMap((line) => line.match(/\b[A-Z]\w*/g) ?? []));
    assert.deepEqual(
      ICONS.filter((name) => !used.has(name)),
      [],
    );
  });
});
