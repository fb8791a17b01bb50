import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createClient, type FileContent } from '../support/client.ts';
import { CLOSING, filePart, partHead } from '../support/multipart.ts';
import { openUpload } from '../support/open-request.ts';
import { record } from '../support/records.ts';
import { blobsOf } from '../support/refusal.ts';
import type { TenantService } from '../support/service.ts';
import { until } from '../support/until.ts';

export interface SentUpload {
  readonly ingestionId: string;
  readonly file: Buffer;
}

/** A frame has 5,000 records. */
const TWO_FRAMES = 5050;
/** Compressed they are more than two pieces of a blob. */
const SEVERAL_PIECES = 1500;

/**
 * Sends uploads in all the ways in which their blobs can get in each other's way. Resolves with those that were accepted;
 * the last one is not: its client disconnects in the middle of the file.
 */
export async function sendUploads(service: TenantService): Promise<readonly SentUpload[]> {
  const client = createClient(service.url, service.key);
  const upload = async (records: number, headers: Record<string, string> = {}, file = fileOf(records)) => {
    const { status, body } = await client.upload(file, { headers });
    assert.equal(status, 202, JSON.stringify(body));
    return { ingestionId: body.data.id, file: Buffer.from(file) };
  };
  const sent = await sendWhileFoldersAreNew(service, () => upload(1));
  sent.push(await upload(TWO_FRAMES));
  sent.push(...(await Promise.all([upload(1), upload(SEVERAL_PIECES), upload(2)])));

  const repeated = { 'idempotency-key': randomUUID() };
  const once = await upload(3, repeated);
  const twice = await upload(3, repeated, new Uint8Array(once.file));
  assert.equal(twice.ingestionId, once.ingestionId);
  sent.push(once);

  const damaged = await client.upload(damagedFile());
  assert.equal(damaged.status, 400);
  sent.push(await upload(1));
  await disconnect(service);
  return sent;
}

/** The first upload of a tenant makes folders and is still in progress when the second one ends. */
async function sendWhileFoldersAreNew(
  service: TenantService,
  upload: () => Promise<SentUpload>,
): Promise<SentUpload[]> {
  const file = Buffer.from(fileOf(1));
  const blobs = (await blobsOf(service.dataDir)).length;
  const slow = openUpload(service);
  await slow.send(partHead(filePart('')));
  await slow.send(file.subarray(0, 10));
  await until(async () => (await blobsOf(service.dataDir)).length > blobs);
  const quick = await upload();
  await slow.send(file.subarray(10));
  slow.request.end(`\r\n${CLOSING}`);
  const { status, body } = await slow.answer;
  assert.equal(status, 202);
  return [quick, { ingestionId: body.data.id, file }];
}

/** Leaves in the middle of a file, when a part of its blob is written, and waits until that is removed. */
async function disconnect(service: TenantService): Promise<void> {
  const before = await blobsOf(service.dataDir);
  const { request, send } = openUpload(service);
  request.on('error', () => undefined);
  await send(partHead(filePart('')));
  await send(fileOf(2 * SEVERAL_PIECES));
  await until(async () => {
    const added = (await blobsOf(service.dataDir)).find((file) => !before.includes(file));
    return added !== undefined && (await stat(added)).size > 0;
  });
  request.destroy();
  await until(async () => (await blobsOf(service.dataDir)).length === before.length);
}

function fileOf(records: number): Uint8Array<ArrayBuffer> {
  const made = Array.from({ length: records }, () =>
    // Hardly compressible.
    record({ finding_info: { uid: randomUUID() }, status_detail: randomBytes(300).toString('hex') }),
  );
  return new Uint8Array(Buffer.from(JSON.stringify(made)));
}

function damagedFile(): FileContent {
  return new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...randomBytes(1000)]);
}
