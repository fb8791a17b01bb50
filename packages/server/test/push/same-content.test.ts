import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { z } from 'zod';
import { runProgramHere } from '../../../scanner/test/cli/run-scanner.ts';
import { makeFiles } from '../../../scanner/test/push/support/run-push.ts';
import { joinService, type SharedService } from '../support/lanes.ts';

const pushedSchema = z.array(z.object({ ingestion_id: z.uuid(), replayed: z.boolean() }));

describe('pushing the same content with different compression', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('creates one job for a file and its compressed copies', async (context) => {
    const content = await readFile(new URL('../../../../examples/findings.ocsf.json', import.meta.url));
    const cwd = await makeFiles(context, {
      'a.ocsf.json': content,
      'a.ocsf.json.gz': zlib.gzipSync(content),
      'a.ocsf.json.zst': zlib.zstdCompressSync(content),
    });
    const env = { SCANNER_CLOUD_API_KEY: service.key, SCANNER_CLOUD_API_BASE_URL: service.url };
    const { code, stdout, stderr } = await runProgramHere(['push', '--json', 'a.*'], { cwd, env });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const pushed = pushedSchema.parse(JSON.parse(stdout));
    assert.equal(new Set(pushed.map(({ ingestion_id }) => ingestion_id)).size, 1);
    assert.deepEqual(
      pushed.map(({ replayed }) => replayed),
      [false, true, true],
    );
  });
});
