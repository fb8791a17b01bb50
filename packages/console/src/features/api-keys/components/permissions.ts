import type { Permission } from '../../../lib/api/types.ts';

/** What each permission allows, in the order of the API. */
export const PERMISSIONS = [
  ['manage_ingestions', 'Upload files, and read jobs and their errors'],
  ['read_findings', 'Read findings, scans, checks and providers; with manage_ingestions, also files'],
  ['manage_providers', 'Give providers aliases, and delete them'],
  ['manage_users', 'Manage users and roles'],
  ['manage_account', 'Manage API keys, and read the audit trail'],
  ['manage_billing', 'Nothing needs it yet'],
  ['manage_scans', 'Nothing needs it yet'],
] as const satisfies readonly (readonly [Permission, string])[];
