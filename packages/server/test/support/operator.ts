import type { OperatorAccess } from './administration.ts';

/** Anything that can run `sluice ... --json`. */
export type Operator = Pick<OperatorAccess, 'sluiceJson'>;

/** Creates a user as an operator would, with these permissions (`manage_scans,manage_users`) or all permissions. */
export async function createUser(
  { sluiceJson }: Operator,
  tenant: string,
  email: string,
  permissions?: string,
): Promise<{ readonly id: string }> {
  const restricted = permissions === undefined ? [] : ['--permissions', permissions];
  return await sluiceJson('user', 'create', '--tenant', tenant, '--email', email, ...restricted);
}

/**
 * Creates a key as an operator would, with all of the user's permissions, unless the options restrict the permissions.
 */
export async function createKey(
  { sluiceJson }: Operator,
  tenant: string,
  email: string,
  ...options: readonly string[]
): Promise<string> {
  const args = ['api-key', 'create', '--tenant', tenant, '--user', email, ...options];
  return (await sluiceJson<{ key: string }>(...args)).key;
}
