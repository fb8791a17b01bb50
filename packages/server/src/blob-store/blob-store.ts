/** The blob that tells whose uploads a store holds; without it nothing is read or written. */
export const BLOB_STORE_MARKER = 'sluice-blob-store';

/**
 * Where the uploads' frames live: one blob per upload, written once, from start to end. What fails because the store as a
 * whole is away has the code `BLOB_STORE_UNAVAILABLE`, because it is full `ENOSPC` or `EDQUOT`, because the blob is not there
 * `ENOENT`.
 */
export interface BlobStore {
  /** Throws an OperatorError, one clear sentence, where the store cannot be used. Makes nothing. */
  assertUsable(): Promise<void>;
  /** The same for a first start: makes the folder where there is none; buckets are the operator's to make. */
  prepare(): Promise<void>;
  /**
   * Starts a blob. The key is made of segments of [A-Za-z0-9._-], joined with `/`; where it exists this or the
   * commit fails, and what is there stays.
   */
  create(key: string): Promise<BlobWriter>;
  /** The bytes [offset, offset + length) of a blob; a BlobTooShort where it has fewer. */
  read(key: string, offset: number, length: number): Promise<Buffer>;
  /** Removes a blob; nothing happens where there is none. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /** Everything that lies where blobs lie, in any order, files that are no blobs included; those that go meanwhile or not. */
  list(signal?: AbortSignal): AsyncIterable<StoredBlob>;
  /** Blobs that were begun and neither committed nor aborted, where the store does not list them as blobs. */
  unfinished(signal?: AbortSignal): AsyncIterable<UnfinishedBlob>;
}

export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
  /** By the store's clock: the last write, or in S3 the begin of an upload in parts. */
  readonly modifiedAt: Date;
}

export interface UnfinishedBlob {
  readonly key: string;
  readonly startedAt: Date;
  /** Removes its parts; nothing happens where somebody else did. */
  remove(): Promise<void>;
}

export interface BlobWriter {
  /** Takes the bytes over: they may change once it has resolved. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves once the whole blob would survive a power cut. */
  commit(): Promise<void>;
  /** Removes what was written. */
  abort(): Promise<void>;
}
