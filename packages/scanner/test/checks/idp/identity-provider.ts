import type { IdentityProvider } from '../../../src/directory/snapshot.ts';

/** An active smart card provider with a Department of Defense issuer. */
export function identityProvider(fields: Partial<IdentityProvider> = {}): IdentityProvider {
  return {
    id: 'idp-1',
    name: 'Cards',
    type: 'X509',
    status: 'ACTIVE',
    issuer: 'CN=DoD ID CA-59, OU=PKI, OU=DoD, O=U.S. Government, C=US',
    kid: 'kid-1',
    ...fields,
  };
}
