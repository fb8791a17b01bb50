import type { Authenticator } from '../../../src/directory/snapshot.ts';

export function authenticator(fields: Partial<Authenticator> = {}): Authenticator {
  return {
    id: 'aut-1',
    key: 'directory_verify',
    name: 'Verify',
    status: 'ACTIVE',
    type: 'app',
    fips: 'REQUIRED',
    ...fields,
  };
}
