import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { IdentityProvider } from '../snapshot.ts';
import { id, mapRead, oncePerId, part, text } from './fields.ts';

const identityProviderSchema = z
  .object({
    id,
    name: text,
    type: text,
    status: text,
    protocol: part({ credentials: part({ trust: part({ issuer: text, kid: text }) }) }),
  })
  .transform(
    ({ id, name, type, status, protocol }): IdentityProvider => ({
      id,
      name: name ?? id,
      type,
      status,
      ...protocol.credentials.trust,
    }),
  );

/** The identity providers: other directories, smart cards, social sign-in. */
export async function readIdentityProviders(api: ManagementApi): Promise<Read<readonly IdentityProvider[]>> {
  const providers = await api.list({
    path: '/api/v1/idps',
    query: { limit: '200' },
    scope: 'idps',
    isFeature: true,
    schema: identityProviderSchema,
  });
  return mapRead(providers, oncePerId);
}
