/** The permissions that a role can grant and that a key can be restricted to. */
export const PERMISSIONS = [
  'manage_ingestions',
  'read_findings',
  'manage_providers',
  'manage_users',
  'manage_account',
  'manage_billing',
  'manage_scans',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Whether the text is the name of a permission. */
export function isPermission(text: string): text is Permission {
  return PERMISSIONS.some((permission) => permission === text);
}

/** Removes unknown permissions and duplicates, and returns the remaining permissions in a fixed order. */
export function permissionsAmong(names: Iterable<string>): readonly Permission[] {
  const included = new Set(names);
  return PERMISSIONS.filter((permission) => included.has(permission));
}

/** The authenticated client of a request. */
export interface Access {
  readonly tenantId: string;
  readonly keyId: string;
  readonly userId: string;
  /** The user's permissions, restricted to the key's permissions. */
  readonly permissions: ReadonlySet<Permission>;
}

/** The access that an operation requires. */
export interface AccessRule {
  /** Permissions that both the key and the user's roles must include. */
  readonly permissions: readonly Permission[];
  /** Whether an active subscription is required. */
  readonly subscription?: boolean;
}

/** The access rule for findings and for resources derived from them. */
export const READ_FINDINGS: AccessRule = { permissions: ['read_findings'] };
