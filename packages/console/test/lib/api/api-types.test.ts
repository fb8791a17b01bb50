import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { run } from '../../../../server/test/support/process.ts';

const TYPES = new URL('../../../src/lib/api/schema.d.ts', import.meta.url);
const GENERATOR = createRequire(import.meta.url).resolve('openapi-typescript/package.json');

describe('the API types of the console', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('match the OpenAPI description: npm run generate:api --workspace @sluice/console', async () => {
    const command = path.join(path.dirname(GENERATOR), 'bin/cli.js');
    const words = [command, `${service.url}/api/v1/openapi.json`];
    const { code, stdout, stderr } = await run(process.execPath, words, { env: { PATH: process.env.PATH } });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, await readFile(TYPES, 'utf8'));
  });
});
