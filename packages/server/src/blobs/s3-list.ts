import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { StoredBlob, UnfinishedBlob } from './blob-store.ts';
import { S3Failure, sendRequest } from './s3-client.ts';

/** A prefix in a bucket. */
interface Location {
  readonly bucket: string;
  readonly prefix: string;
}

/** Lists all objects below the prefix, page by page. Throws an S3Failure. */
export async function* listObjects(
  client: S3Client,
  { bucket: Bucket, prefix: Prefix }: Location,
  signal?: AbortSignal,
): AsyncGenerator<StoredBlob, void> {
  let ContinuationToken: string | undefined;
  do {
    const list = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
    const page = await sendRequest('list the blobs', () =>
      client.send(list, { ...(signal && { abortSignal: signal }) }),
    );
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key === undefined || Size === undefined || LastModified === undefined)
        throw new S3Failure(
          `S3 listed a blob of ${Bucket} without key, size or time`,
          'InvalidResponse',
          undefined,
        );
      yield { key: Key.slice(Prefix.length), bytes: Size, modifiedAt: LastModified };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** Lists all multipart uploads below the prefix that are neither completed nor aborted. Throws an S3Failure. */
export async function* listUploads(
  client: S3Client,
  { bucket: Bucket, prefix: Prefix }: Location,
  signal?: AbortSignal,
): AsyncGenerator<UnfinishedBlob, void> {
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (next !== undefined) {
    const list: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ Bucket, Prefix, ...next });
    const page = await sendRequest('list the unfinished uploads', () =>
      client.send(list, { ...(signal && { abortSignal: signal }) }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || Initiated === undefined)
        throw new S3Failure(
          `S3 listed an upload to ${Bucket} without key, id or time`,
          'InvalidResponse',
          undefined,
        );
      const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
      yield {
        key: Key.slice(Prefix.length),
        startedAt: Initiated,
        remove: async () => {
          await sendRequest(`abort the upload of ${Key}`, () =>
            client.send(abort, { ...(signal && { abortSignal: signal }) }),
          ).catch((error: unknown) => {
            if (!(error instanceof S3Failure && error.fault === 'NoSuchUpload')) throw error;
          });
        },
      };
    }
    next =
      page.IsTruncated === true && page.NextKeyMarker !== undefined
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
  }
}
