import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rm, truncate } from 'node:fs/promises';
import { type IncomingMessage, request as openHttp } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient } from '../../support/client.ts';
import { SESSIONS } from '../../support/database-activity.ts';
import { record } from '../../support/records.ts';
import { assertRefused, blobOf } from '../../support/refusal.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MIB = 2 ** 20;
const LARGE_MIB = 256;
const ROUNDS = 5;
const ENCODINGS = ['identity', 'zstd', 'gzip'] as const;
/** Maximum additional memory. Measured downloads used up to 10 MiB, regardless of the file size. */
const MEMORY_MIB = 64;

describe('failed downloads of an uploaded file', () => {
  let service: Service;
  let client: Client;
  /** The job for a large file that contains a JSON array filled with spaces. */
  let large: string;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    const spaces = zstdCompressSync(Buffer.alloc(8 * MIB, ' '));
    const frames = Array.from({ length: LARGE_MIB / 8 }, () => spaces);
    const file = Buffer.concat([
      zstdCompressSync(Buffer.from('[')),
      ...frames,
      zstdCompressSync(Buffer.from(']')),
    ]);
    large = (await client.ingest(file)).id;
  });
  after(() => service.remove());

  const open = async (id: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const request = openHttp(`${service.url}/api/v1/ingestions/${id}/file`, {
      headers: { authorization: `Api-Key ${service.key}`, ...headers },
    });
    request.end();
    const [response] = await once(request, 'response');
    return response;
  };
  /** Returns the service's resident memory in MiB. Linux only. */
  const memory = async () => {
    const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  };
  const severalFrames = () =>
    arrayFile(Array.from({ length: 12_000 }, (_, index) => record({ finding_info: { uid: `f-${index}` } })))
      .bytes;

  it('limits memory use during the download of a large file to a slow client', async () => {
    for (const encoding of ['identity', 'zstd', 'gzip']) {
      const before = await memory();
      let most = before;
      const response = await open(large, { 'accept-encoding': encoding });
      // By now, a service that does not wait for slow clients would have buffered the whole file.
      await sleep(500);
      let bytes = 0;
      let sampled = 0;
      for await (const chunk of response) {
        const piece: Buffer = chunk;
        bytes += piece.length;
        if (bytes - sampled < 16 * MIB) continue;
        sampled = bytes;
        most = Math.max(most, await memory());
      }
      most = Math.max(most, await memory());
      if (encoding === 'identity') assert.equal(bytes, LARGE_MIB * MIB + 2);
      assert.ok(most - before < MEMORY_MIB, `${encoding}: ${Math.round(most - before)} MiB more`);
    }
  });

  it('releases all resources when a client disconnects during a download', async () => {
    const before = await memory();
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(
        ['identity', 'zstd', 'gzip'].map(async (encoding) => {
          const response = await open(large, { 'accept-encoding': encoding });
          await once(response, 'data');
          response.destroy();
        }),
      );
    }
    // Reading and decompressing the file for a disconnected client would use CPU time.
    const ticks = async () => {
      const stat = await readFile(`/proc/${service.process.pid}/stat`, 'utf8');
      return stat
        .split(' ')
        .slice(13, 15)
        .reduce((sum, field) => sum + Number(field), 0);
    };
    await until(async () => {
      const start = await ticks();
      await sleep(200);
      return (await ticks()) - start <= 4;
    });
    assert.ok((await memory()) - before < MEMORY_MIB);
    const [open_] = await service.sql<{ count: number }>(
      `select count(*)::int from ${SESSIONS} where application_name = 'sluice api' and state <> 'idle'`,
    );
    assert.equal(open_?.count, 0);
    assert.equal((await client.get('/limits')).status, 200);
    assert.equal(service.output.stderr, '', 'a disconnected client was logged as an error');
  });

  it('returns 503 file_missing and logs an error when the blob is missing', async () => {
    const { id } = await client.ingest([record()]);
    await rm(await blobOf(service.dataDir, id));
    const refused = assertRefused(await client.get(`/ingestions/${id}/file`), {
      status: 503,
      code: 'file_missing',
      detail: /^The stored file of this upload is missing/,
    });
    await until(async () => service.output.stderr.includes('ENOENT'));
    assert.ok(service.output.stderr.includes(refused.id), 'the log does not include the request ID');
    const head = await client.send(`/ingestions/${id}/file`, { method: 'HEAD' });
    assert.equal(head.status, 503);
  });

  it('aborts a download when a later frame cannot be read', async () => {
    for (const encoding of ENCODINGS) {
      const { id } = await client.ingest(severalFrames());
      const [{ length } = { length: 0 }] = await service.sql<{ length: number }>(
        'select blob_offset::int + 100 as length from frames where ingestion_id = $1 and number = 1',
        [id],
      );
      await truncate(await blobOf(service.dataDir, id), length);
      const logged = service.output.stderr.length;
      const response = await open(id, { 'accept-encoding': encoding });
      assert.equal(response.statusCode, 200);
      await assert.rejects(async () => {
        for await (const _chunk of response);
      }, /aborted/);
      await until(async () => service.output.stderr.slice(logged).includes('ends before byte'));
    }
  });

  it('aborts a download when a frame is larger than its recorded size', async () => {
    const { id } = await client.ingest(severalFrames());
    await service.sql('update frames set bytes = bytes - 1 where ingestion_id = $1 and number = 1', [id]);
    await assert.rejects(async () => {
      for await (const _chunk of await open(id));
    }, /aborted/);
    await until(async () => /frame 1 has at least/.test(service.output.stderr));
  });

  it('aborts a download when frames are missing', async () => {
    const { id } = await client.ingest(severalFrames());
    await service.sql('delete from frames where ingestion_id = $1 and number = 2', [id]);
    await assert.rejects(async () => {
      for await (const _chunk of await open(id));
    }, /aborted/);
    await until(async () => /the frames of .* have \d+ bytes/.test(service.output.stderr));
  });
});
