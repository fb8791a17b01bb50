import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/server/test/support/client.ts';
import { joinService, type SharedService } from '../../packages/server/test/support/lanes.ts';
import { run } from '../../packages/server/test/support/process.ts';
import { record } from '../../packages/server/test/support/records.ts';
import { type PythonEnvironment, pythonEnvironment } from '../python-environment.ts';

/** Operations that could revoke the test's own access. */
const EXCLUDED = ['revokeApiKey', 'deleteUser', 'updateUser', 'deleteRole', 'updateRole'];
const MAX_EXAMPLES = 15;
const CONFIG = path.join(import.meta.dirname, '../schemathesis.toml');
const HOOKS = path.join(import.meta.dirname, '..');
/**
 * The seed is fixed, so that only a code change can cause a new failure. To use another seed, set SCHEMATHESIS_SEED to
 * `random` or a number.
 */
const { SCHEMATHESIS_SEED: SEED = '1' } = process.env;

const environment = await pythonEnvironment('schemathesis');

describe('schemathesis requests generated from the OpenAPI description', {
  skip: typeof environment === 'string' && environment,
}, () => {
  const { program } = environment as PythonEnvironment;
  let service: SharedService;
  let folder: string;
  before(async () => {
    service = await joinService();
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-schemathesis-'));
    await createClient(service.url, service.key).ingest([record(), { class_uid: 1 }]);
  });
  after(async () => {
    await service?.leave();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('the service returns only responses that conform to the OpenAPI description', async (context) => {
    const { code, stdout, stderr } = await run(
      program('schemathesis'),
      [
        ...[
          '--config-file',
          CONFIG,
          'run',
          `${service.url}/api/v1/openapi.json`,
          '--header',
          `Authorization: Api-Key ${service.key}`,
        ],
        ...[
          '--checks',
          'all',
          '--continue-on-failure',
          '--max-examples',
          String(MAX_EXAMPLES),
          '--workers',
          '1',
        ],
        ...(SEED === 'random' ? [] : ['--seed', SEED]),
        ...EXCLUDED.flatMap((operation) => ['--exclude-operation-id', operation]),
        ...['--no-color', '--warnings', 'off'],
      ],
      {
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          PYTHONIOENCODING: 'utf-8',
          PYTHONPATH: HOOKS,
          PYTHONDONTWRITEBYTECODE: '1',
          SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        },
        cwd: folder,
      },
    );
    const [, generated = 'no'] = /(\d+) generated/.exec(stdout) ?? [];
    context.diagnostic(`${generated} requests`);
    assert.equal(code, 0, `${stdout.slice(-6000)}\n${stderr.slice(-2000)}`);
    assert.ok(Number(generated) > 500, stdout.slice(-3000));
  });
});
