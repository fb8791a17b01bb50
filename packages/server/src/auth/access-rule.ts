import type { Permission } from './permissions.ts';

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
