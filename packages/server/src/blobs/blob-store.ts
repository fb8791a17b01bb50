import { codeOf } from '../lib/errors.ts';

/** The blob with the id of the database that the store belongs to. Without it, nothing is read or written. */
export const BLOB_STORE_MARKER = 'sluice-blob-store';

/**
 * Stores the frames of uploads: one blob per upload, written once and sequentially. Errors have the code
 * `BLOB_STORE_UNAVAILABLE` if the whole store is unavailable, `ENOSPC` or `EDQUOT` if it is full, and `ENOENT` if the
 * blob is missing.
 */
export interface BlobStore {
  /** Throws an OperatorError if the store cannot be used. Creates nothing. */
  assertUsable(): Promise<void>;
  /**
   * Like `assertUsable`, but for the first start: creates a missing folder. Buckets must be created by the operator.
   */
  prepare(): Promise<void>;
  /**
   * Starts a blob. A key consists of segments of [A-Za-z0-9._-], joined with `/`. If the blob exists, this call or the
   * commit fails and the existing blob is unchanged.
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

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DAY = '\\d{4}-\\d{2}-\\d{2}';
const BLOB_KEY = new RegExp(`^(${UUID})/${DAY}/(${UUID})\\.ocsf\\.json\\.zst$`);

/** Patterns for the folder names in keys created by `blobKey`, outermost first. */
export const KEY_FOLDERS: readonly RegExp[] = [new RegExp(`^${UUID}$`), new RegExp(`^${DAY}$`)];

/** The key of an upload's blob. The date keeps folders small and shows the age of a blob. */
export function blobKey(tenantId: string, ingestionId: string, requestedAt: Date): string {
  return `${tenantId}/${requestedAt.toISOString().slice(0, 10)}/${ingestionId}.ocsf.json.zst`;
}

/** Parses a key created by `blobKey`. Returns `undefined` for any other key. */
export function readBlobKey(
  key: string,
): { readonly tenantId: string; readonly ingestionId: string } | undefined {
  const [, tenantId, ingestionId] = BLOB_KEY.exec(key) ?? [];
  return tenantId === undefined || ingestionId === undefined ? undefined : { tenantId, ingestionId };
}

/** Throws a TypeError for an invalid key, which could otherwise escape the folder or prefix of a store. */
export function assertBlobKey(key: string): void {
  if (!key.split('/').every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment)))
    throw new TypeError(`not a blob key: ${key}`);
}

/** File-system error codes (errno(3)). S3 stores translate HTTP status 507 to ENOSPC. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether an error means that the store is full. Also works for errors from other threads. */
export function isBlobStoreFull(error: unknown): boolean {
  return FULL.has(codeOf(error) ?? '');
}

/** The code of errors that affect the whole store, not a single blob. */
export const BLOB_STORE_UNAVAILABLE = 'BLOB_STORE_UNAVAILABLE';

/** The store cannot be reached or used. Usually temporary. */
export class BlobStoreUnavailable extends Error {
  readonly code = BLOB_STORE_UNAVAILABLE;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'BlobStoreUnavailable';
  }
}

/** Whether an error means that the store is unavailable. Also works for errors from other threads. */
export function isBlobStoreUnavailable(error: unknown): boolean {
  return codeOf(error) === BLOB_STORE_UNAVAILABLE;
}

/** The error code for a file that ends before the requested bytes because it was never completed. */
export const BLOB_TOO_SHORT = 'BLOB_TOO_SHORT';

/** A blob has fewer bytes than were requested. */
export class BlobTooShort extends Error {
  readonly code = BLOB_TOO_SHORT;

  constructor(message: string) {
    super(message);
    this.name = 'BlobTooShort';
  }
}
