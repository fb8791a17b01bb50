import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { devToolPath, getDevToolsSkipReason } from '../../../../../scripts/dev-tools.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { run } from '../../support/process.ts';

describe('OpenAPI linter', { skip: getDevToolsSkipReason() }, () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('serves an OpenAPI description that passes the Redocly linter without errors or warnings', async () => {
    const linter = devToolPath('@redocly/cli/bin/cli.js');
    const response = await fetch(`${service.url}/api/v1/openapi.json`);
    const folder = await mkdtemp(path.join(tmpdir(), 'sluice-openapi-'));
    try {
      const file = path.join(folder, 'openapi.json');
      await writeFile(file, await response.text());
      const { code, stdout, stderr } = await run(process.execPath, [linter, 'lint', '--format=json', file], {
        // An empty folder, so that no project settings relax the rules.
        cwd: folder,
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true', HOME: folder },
      });
      const { totals, problems } = JSON.parse(stdout);
      assert.deepEqual([code, totals, problems], [0, { errors: 0, warnings: 0, ignored: 0 }, []], stderr);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
