/** Where the uploads' frames live: one blob per upload, written once, from start to end. */
export interface BlobStore {
  /** Starts a blob. The key is made of segments of [A-Za-z0-9._-], joined with `/`; it must not exist. */
  create(key: string): Promise<BlobWriter>;
  /** The bytes [offset, offset + length) of a blob; an error where it has fewer. */
  read(key: string, offset: number, length: number): Promise<Buffer>;
  /** Removes a blob; nothing happens where there is none. */
  delete(key: string): Promise<void>;
}

export interface BlobWriter {
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves once the whole blob would survive a power cut. */
  commit(): Promise<void>;
  /** Removes what was written. */
  abort(): Promise<void>;
}

/** The key of an upload's blob. The day in front keeps folders small and tells how old a blob is. */
export function blobKey(tenantId: string, ingestionId: string, requestedAt: Date): string {
  return `${tenantId}/${requestedAt.toISOString().slice(0, 10)}/${ingestionId}.ocsf.json.zst`;
}
