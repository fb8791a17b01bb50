/** The key of an upload's blob. The day in front keeps folders small and tells how old a blob is. */
export function blobKey(tenantId: string, ingestionId: string, requestedAt: Date): string {
  return `${tenantId}/${requestedAt.toISOString().slice(0, 10)}/${ingestionId}.ocsf.json.zst`;
}

/** Which upload's blob a key names; `undefined` where `blobKey` has not made it. */
export function readBlobKey(
  key: string,
): { readonly tenantId: string; readonly ingestionId: string } | undefined {
  const [, tenantId, ingestionId] = BLOB_KEY.exec(key) ?? [];
  return tenantId === undefined || ingestionId === undefined ? undefined : { tenantId, ingestionId };
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DAY = '\\d{4}-\\d{2}-\\d{2}';
const BLOB_KEY = new RegExp(`^(${UUID})/${DAY}/(${UUID})\\.ocsf\\.json\\.zst$`);

/** What the folders are named that keys of `blobKey` lead through, from the outermost on. */
export const KEY_FOLDERS: readonly RegExp[] = [new RegExp(`^${UUID}$`), new RegExp(`^${DAY}$`)];

/** Throws a TypeError where this is no key; nothing that it could escape a store's folder or prefix with gets through. */
export function assertBlobKey(key: string): void {
  if (!key.split('/').every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment)))
    throw new TypeError(`not a blob key: ${key}`);
}
