/** The blob with the id of the database that the store belongs to. Without it, nothing is read or written. */
export const BLOB_STORE_MARKER = 'sluice-blob-store';

/**
 * Stores the frames of uploads: one blob per upload, written once and sequentially. Errors have the code
 * `BLOB_STORE_UNAVAILABLE` if the whole store is unavailable, `ENOSPC` or `EDQUOT` if it is full, and `ENOENT` if the blob is
 * missing.
 */
export interface BlobStore {
  /** Throws an OperatorError if the store cannot be used. Creates nothing. */
  assertUsable(): Promise<void>;
  /**
   * Like `assertUsable`, but for the first start: creates a missing folder. Buckets must be created by the operator.
   */
  prepare(): Promise<void>;
  /**
   * Starts a blob. A key consists of segments of [A-Za-z0-9._-], joined with `/`. If the blob exists, this call or the commit
   * fails and the existing blob is unchanged.
   */
  create(key: string): Promise<BlobWriter>;
  /** Reads the bytes [offset, offset + length) of a blob. Throws a BlobTooShort if the blob has fewer bytes. */
  read(key: string, offset: number, length: number): Promise<Buffer>;
  /** Removes a blob. Does nothing if it does not exist. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /**
   * Lists all entries at paths where blobs can be stored, in any order, including files that are not blobs. May omit
   * entries that are removed during the listing.
   */
  list(signal?: AbortSignal): AsyncIterable<StoredBlob>;
  /** Lists the unfinished blobs (neither committed nor aborted) that `list` does not return. */
  unfinished(signal?: AbortSignal): AsyncIterable<UnfinishedBlob>;
}

export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
  /** Time of the last write or, in S3, the start of a multipart upload, according to the store's clock. */
  readonly modifiedAt: Date;
}

export interface UnfinishedBlob {
  readonly key: string;
  readonly startedAt: Date;
  /** Removes the parts of the blob. Does nothing if they have already been removed. */
  remove(): Promise<void>;
}

export interface BlobWriter {
  /** The bytes may be changed once the promise has resolved. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when the whole blob would survive a power failure. */
  commit(): Promise<void>;
  /** Removes the written bytes. */
  abort(): Promise<void>;
}
