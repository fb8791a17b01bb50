// Compiles the modules in assembly/ to WebAssembly in src/.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { devToolPath, installDevTools } from '../../../scripts/dev-tools.ts';

const MODULES = {
  'assembly/scan-fields.ts': 'src/extract/scan-fields.wasm',
  'assembly/walk-container.ts': 'src/splitter/walk-container.wasm',
};

const reason = installDevTools();
if (reason !== undefined) throw new Error(reason);
for (const [source, outFile] of Object.entries(MODULES))
  execFileSync(process.execPath, [devToolPath('assemblyscript/bin/asc.js'), source, '--outFile', outFile], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  });
