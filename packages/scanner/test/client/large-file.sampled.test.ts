import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createZstdDecompress } from 'node:zlib';
import { isWholeRun } from '../../../server/test/support/is-whole-run.ts';

const BIN = fileURLToPath(new URL('../../bin/scanner.js', import.meta.url));
/** 1 GB. Sampled runs use a smaller size, which still exceeds the allowed memory. */
const FILE_BYTES = isWholeRun ? 1_000_000_000 : 250_000_000;
const PEAK_BYTES = 200_000_000;

const ACCEPTED = {
  data: { id: '1', attributes: { status: 'pending', summary: { total: 1, processed: 0, invalid: 0 } } },
};

/** Accepts uploads without storing them, and records the hash of the last `file` part. */
async function startSink(encodings: readonly string[]) {
  const received = { idempotencyKey: '', sha256: '' };
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ data: { attributes: { encodings } } }));
      return;
    }
    received.idempotencyKey = String(request.headers['idempotency-key']);
    const file = partOf(request);
    const hash = createHash('sha256');
    const content = encodings.includes('zstd') ? inflated(file) : file;
    for await (const chunk of content) hash.update(chunk);
    received.sha256 = hash.digest('hex');
    response.writeHead(202).end(JSON.stringify(ACCEPTED));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { received, url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

/** Returns the content of the only part, which is between its headers and the final boundary. */
async function* partOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let tailLength = 0;
  for await (const chunk of body) {
    held = Buffer.concat([held, chunk]);
    if (tailLength === 0) {
      const end = held.indexOf('\r\n\r\n');
      if (end === -1) continue;
      tailLength = '\r\n'.length + held.indexOf('\r\n') + '--\r\n'.length;
      held = held.subarray(end + 4);
    }
    yield held.subarray(0, -tailLength);
    held = held.subarray(-tailLength);
  }
}

async function* inflated(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createZstdDecompress();
  const fed = (async () => {
    for await (const chunk of bytes) if (!inflate.write(chunk)) await once(inflate, 'drain');
    inflate.end();
  })();
  yield* inflate;
  await fed;
}

/** Runs `scanner push` and resolves with its peak memory in bytes. */
async function peakOfPush(file: string, url: string): Promise<number> {
  const env = { PATH: process.env.PATH, SCANNER_CLOUD_API_KEY: 'key', SCANNER_CLOUD_API_BASE_URL: url };
  const child = spawn(process.execPath, [BIN, 'push', file], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const timer = setInterval(() => {
    const high = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    if (high !== undefined) peak = Number(high) * 1024;
  }, 20);
  child.once('exit', () => clearInterval(timer));
  await once(child, 'exit');
  assert.equal(child.exitCode, 0);
  return peak;
}

describe('scanner push with a large file', {
  skip: process.platform !== 'linux' && 'peak memory is read from /proc, which requires Linux',
}, () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'scanner-large-'));
    file = path.join(folder, 'large.ocsf.json');
    const handle = await open(file, 'w');
    const record = `{"text":"${'finding '.repeat(125)}"},\n`;
    const block = Buffer.from(record.repeat(1000));
    await handle.write('[\n');
    for (let bytes = 0; bytes < FILE_BYTES; bytes += block.length) await handle.write(block);
    await handle.write('{}]\n');
    await handle.close();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [encodings, how] of [
    [['gzip', 'zstd'], 'compressed during the upload'],
    [[], 'uncompressed'],
  ] as const) {
    it(`pushes a file of ${FILE_BYTES / 1e6} MB in less than 200 MB of memory, ${how}`, async (context) => {
      const sink = await startSink(encodings);
      try {
        const peak = await peakOfPush(file, sink.url);
        context.diagnostic(`at most ${Math.round(peak / 1e6)} MB`);
        assert.equal(sink.received.sha256, sink.received.idempotencyKey);
        assert.ok(peak > 0 && peak < PEAK_BYTES, `${Math.round(peak / 1e6)} MB`);
      } finally {
        sink.close();
      }
    });
  }
});
