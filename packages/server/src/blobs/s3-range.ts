import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { BlobTooShort } from './blob-too-short.ts';
import type { S3Timeouts } from './s3-client.ts';
import { S3Failure, s3Failure } from './s3-failure.ts';
import type { ObjectName } from './s3-upload.ts';

const FIRST_BACKOFF_MS = 100;

/**
 * Reads exactly the bytes [start, end) of an object, or throws an S3Failure. The SDK retries requests, but does not
 * resume interrupted response bodies. This function resumes them after the last received byte.
 */
export async function readRange(
  client: S3Client,
  object: ObjectName,
  [start, end]: readonly [start: number, end: number],
  { attempts, readMs }: S3Timeouts,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  const signal = AbortSignal.timeout(readMs);
  let received = 0;
  for (let attempt = 1; received < bytes.length; attempt++) {
    try {
      const body = await openRange(client, object, [start + received, end], signal);
      for await (const chunk of body) {
        const piece: Buffer = chunk;
        received += piece.copy(bytes, received);
      }
      if (received < bytes.length) throw new Error(`the response ended at byte ${start + received}`);
    } catch (error) {
      const action = `read bytes ${start} to ${end} of the blob ${object.Key}`;
      if (signal.aborted)
        throw new S3Failure(`could not ${action} within ${readMs} ms`, 'TimeoutError', undefined);
      // The SDK has already retried error responses.
      if (error instanceof BlobTooShort) throw error;
      if (attempt === attempts || error instanceof S3Failure) throw s3Failure(action, error);
      await sleep(FIRST_BACKOFF_MS * 2 ** (attempt - 1));
    }
  }
  return bytes;
}

async function openRange(
  client: S3Client,
  object: ObjectName,
  [start, end]: readonly [start: number, end: number],
  abortSignal: AbortSignal,
): Promise<Readable> {
  const blob = `the blob ${object.Key}`;
  const get = new GetObjectCommand({ ...object, Range: `bytes=${start}-${end - 1}` });
  const { Body, ContentRange } = await client.send(get, { abortSignal }).catch((error: unknown) => {
    const failure = s3Failure(`read ${blob} from byte ${start} on`, error);
    if (failure.status !== 416) throw failure;
    throw new BlobTooShort(`${blob} ends before byte ${start}, the first requested byte`);
  });
  if (!(Body instanceof Readable))
    throw new S3Failure(`the S3 response does not contain ${blob}`, 'NoBody', undefined);
  if (ContentRange?.startsWith(`bytes ${start}-${end - 1}/`)) return Body;
  Body.destroy();
  throw new S3Failure(
    `bytes ${start} to ${end} of ${blob} were requested, but S3 returned ${ContentRange ?? 'the whole blob'}: it is too short, or the server does not support ranges`,
    'WrongRange',
    undefined,
  );
}
