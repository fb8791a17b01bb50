/** What a role can allow, and a key can be narrowed to. */
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

export function isPermission(text: string): text is Permission {
  return PERMISSIONS.some((permission) => permission === text);
}

/** The known ones among these, each once and always in the same order. */
export function permissionsAmong(names: Iterable<string>): readonly Permission[] {
  const given = new Set(names);
  return PERMISSIONS.filter((permission) => given.has(permission));
}
