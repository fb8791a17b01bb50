import type { Permission } from '../../../lib/api/types.ts';

/** What each permission allows, in the order of the API. Reading findings, scans and providers needs none. */
export const PERMISSIONS = [
  ['manage_ingestions', 'Upload files, and read jobs and their files'],
  ['manage_providers', 'Give providers aliases, and delete them'],
  ['manage_users', 'Manage users and roles'],
  ['manage_account', 'Manage API keys, and read the audit trail'],
  ['manage_billing', 'Nothing needs it yet'],
  ['manage_scans', 'Nothing needs it yet'],
] as const satisfies readonly (readonly [Permission, string])[];
