import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { startEmulator } from '../../../directory-emulator/src/index.ts';
import { ALL_CHECKS } from '../../src/checks/all-checks.ts';
import type { Check } from '../../src/checks/check.ts';
import { readDirectoryFlags } from '../../src/cli/directory-options.ts';
import { scan } from '../../src/cli/scan.ts';
import { defaultConfig } from '../../src/config-file/read-config-file.ts';
import { ScannerError } from '../../src/lib/errors.ts';
import { createLog } from '../../src/terminal/log.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { KEY } from '../push/support/run-push.ts';
import { startService } from '../push/support/service.ts';
import { makeFolder } from './run-scanner.ts';

describe('a check that throws', () => {
  it('reports a check that throws, writes and pushes all other results, and exits with 1', async (context) => {
    const service = await startService(context);
    const emulator = await startEmulator({ organization: 'compliant' });
    const { folder, remove } = await makeFolder();
    try {
      const [first, second] = ALL_CHECKS;
      assert.ok(first !== undefined && second !== undefined);
      const broken: Check = {
        ...first,
        evaluate: () => {
          throw new TypeError('no such field');
        },
      };
      const printed: string[] = [];
      const output = { write: (text: string | Uint8Array) => printed.push(String(text)) > 0 };
      const screen = new Screen(output, output);
      const parsed = {
        ...{ outputFormats: ['json-ocsf'], outputDirectory: folder, outputFilename: 'broken' },
        ...{ banner: false, color: false, logLevel: 'ERROR', dialect: 'directory' },
        ...{ directoryRequestsPerSecond: 0, pushToCloud: true },
      };
      const flags = readDirectoryFlags(parsed, {});
      const request = {
        ...{ flags, checks: [broken, second], frameworks: [], config: defaultConfig(), mutelist: undefined },
        ...{ version: '0.0.0', screen, colors: false },
        env: {
          ...emulator.environment(),
          ...{ SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: service.url },
        },
        log: createLog(screen, 'ERROR', undefined),
      };
      await assert.rejects(scan(request), (error) => {
        assert.ok(error instanceof ScannerError);
        assert.equal(error.exitCode, 1);
        assert.equal(error.code, 'check_broke');
        assert.ok(error.message.includes(first.id));
        return true;
      });
      assert.match(
        printed.join(''),
        /ERROR .* failed with an internal error error="TypeError: no such field/,
      );
      const written = await readFile(path.join(folder, 'broken.ocsf.json'), 'utf8');
      assert.ok(written.includes(second.id));
      assert.ok(!written.includes(first.id));
      assert.deepEqual(service.uploads()[0]?.form?.parts, [['file', 'file']], 'declares a coverage');
    } finally {
      await emulator.stop();
      await remove();
    }
  });
});
