import type { TenantService } from './service.ts';

/** Who can run `sluice ... --json`. */
export type Operator = Pick<TenantService, 'sluiceJson'>;

/** Makes a user as an operator does, who may do what is named (`manage_scans,manage_users`) or everything. */
export async function createUser(
  { sluiceJson }: Operator,
  tenant: string,
  email: string,
  permissions?: string,
): Promise<{ readonly id: string }> {
  const narrowed = permissions === undefined ? [] : ['--permissions', permissions];
  return await sluiceJson('user', 'create', '--tenant', tenant, '--email', email, ...narrowed);
}

/** Makes a key as an operator does, with all that its user may do unless the options say otherwise. */
export async function createKey(
  { sluiceJson }: Operator,
  tenant: string,
  email: string,
  ...options: readonly string[]
): Promise<string> {
  const words = ['api-key', 'create', '--tenant', tenant, '--user', email, ...options];
  return (await sluiceJson<{ key: string }>(...words)).key;
}
