import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { devToolPath, getDevToolsSkipReason } from '../../../scripts/dev-tools.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('WebAssembly modules', { skip: getDevToolsSkipReason() }, () => {
  it('the committed WebAssembly modules match a fresh build of their sources', async (t) => {
    const compiler = devToolPath('assemblyscript/bin/asc.js');
    const folder = await mkdtemp(join(tmpdir(), 'sluice-wasm-'));
    t.after(() => rm(folder, { recursive: true }));
    const committed = (await readdir(join(root, 'src'), { recursive: true })).filter((name) =>
      name.endsWith('.wasm'),
    );
    assert.ok(committed.length > 0);
    for (const path of committed) {
      const compiled = join(folder, 'module.wasm');
      const source = path.replace(/^.*\/(.+)\.wasm$/, 'assembly/$1.ts');
      await promisify(execFile)(process.execPath, [compiler, source, '--outFile', compiled], { cwd: root });
      const isCurrent = (await readFile(compiled)).equals(await readFile(join(root, 'src', path)));
      assert.ok(
        isCurrent,
        `src/${path} differs from the result of compiling ${source}; run "npm run build:wasm"`,
      );
    }
  });
});
