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

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DAY = '\\d{4}-\\d{2}-\\d{2}';
const BLOB_KEY = new RegExp(`^(${UUID})/${DAY}/(${UUID})\\.ocsf\\.json\\.zst$`);

/** Patterns for the folder names in keys created by `blobKey`, outermost first. */
export const KEY_FOLDERS: readonly RegExp[] = [new RegExp(`^${UUID}$`), new RegExp(`^${DAY}$`)];

/** Throws a TypeError for an invalid key, which could otherwise escape the folder or prefix of a store. */
export function assertBlobKey(key: string): void {
  if (!key.split('/').every((segment) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment)))
    throw new TypeError(`not a blob key: ${key}`);
}
