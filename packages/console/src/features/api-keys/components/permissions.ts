import type { Permission } from '../../../lib/api/types.ts';

/** Permissions with their descriptions, in the same order as in the API. */
export const PERMISSIONS = [
  ['manage_ingestions', 'Upload files and view upload results'],
  [
    'read_findings',
    'Read findings, scans, checks and providers. With manage_ingestions, also download uploaded files',
  ],
  ['manage_providers', 'Set provider aliases, resolve findings by product, and delete providers'],
  ['manage_users', 'Manage users and roles'],
  ['manage_account', 'Manage API keys and read the audit trail'],
  ['manage_billing', 'Reserved for future use'],
  ['manage_scans', 'Reserved for future use'],
] as const satisfies readonly (readonly [Permission, string])[];
