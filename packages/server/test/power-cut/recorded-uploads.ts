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
  readonly idempotencyKey?: string;
}

/** A frame has 5,000 records. */
const TWO_FRAMES = 5050;
/** Enough records to be written in several pieces when compressed. */
const SEVERAL_PIECES = 1500;

/**
 * Sends uploads whose blobs could interfere with each other. The client of the last upload disconnects in the middle
 * of the file. Resolves with the accepted uploads.
 */
export async function sendUploads(service: TenantService): Promise<readonly SentUpload[]> {
  const client = createClient(service.url, service.key);
  const upload = async (file: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const { status, body } = await client.upload(file, { headers });
    assert.equal(status, 202, JSON.stringify(body));
    return { ingestionId: body.data.id, file: Buffer.from(file) };
  };
  const sent = await sendWhileFoldersAreNew(service, () => upload(fileOf(1)));
  sent.push(await upload(fileOf(TWO_FRAMES, 10)));
  sent.push(...(await Promise.all([1, 2, SEVERAL_PIECES, 3, 4].map((records) => upload(fileOf(records))))));

  const idempotencyKey = randomUUID();
  const repeated = { 'idempotency-key': idempotencyKey };
  const once = await upload(fileOf(3), repeated);
  const second = await upload(new Uint8Array(once.file), repeated);
  assert.equal(second.ingestionId, once.ingestionId);
  sent.push({ ...once, idempotencyKey });

  const damaged = await client.upload(damagedFile());
  assert.equal(damaged.status, 400);
  sent.push(await upload(fileOf(1)));
  await disconnect(service);
  return sent;
}

/** The first upload of a tenant creates folders, and is still in progress when the second upload ends. */
async function sendWhileFoldersAreNew(
  service: TenantService,
  upload: () => Promise<SentUpload>,
): Promise<SentUpload[]> {
  const file = Buffer.from(fileOf(1));
  const blobs = (await blobsOf(service.dataDir)).length;
  const firstUpload = openUpload(service);
  await firstUpload.send(partHead(filePart('')));
  await firstUpload.send(file.subarray(0, 10));
  await until(async () => (await blobsOf(service.dataDir)).length > blobs);
  const secondUpload = await upload();
  await firstUpload.send(file.subarray(10));
  firstUpload.request.end(`\r\n${CLOSING}`);
  const { status, body } = await firstUpload.response;
  assert.equal(status, 202);
  return [secondUpload, { ingestionId: body.data.id, file }];
}

/** Disconnects after part of the blob is written, and waits until the blob is removed. */
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

/** Returns a file with this many records, each with incompressible bytes. */
function fileOf(records: number, randomness = 300): Uint8Array<ArrayBuffer> {
  const content = Array.from({ length: records }, () =>
    record({ finding_info: { uid: randomUUID() }, status_detail: randomBytes(randomness).toString('hex') }),
  );
  return new Uint8Array(Buffer.from(JSON.stringify(content)));
}

function damagedFile(): FileContent {
  return new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...randomBytes(1000)]);
}
