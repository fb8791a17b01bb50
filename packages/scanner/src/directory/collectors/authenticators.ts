import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { Authenticator } from '../snapshot.ts';
import { id, mapRead, oncePerId, part, text } from './fields.ts';

const authenticatorSchema = z
  .object({
    id,
    key: z.string(),
    name: text,
    status: text,
    type: text,
    settings: part({ compliance: part({ fips: text }) }),
  })
  .transform(
    ({ id, key, name, status, type, settings }): Authenticator => ({
      id,
      key,
      name: name ?? id,
      status,
      type,
      fips: settings.compliance.fips,
    }),
  );

/** The authenticators of the organization. */
export async function readAuthenticators(api: ManagementApi): Promise<Read<readonly Authenticator[]>> {
  const authenticators = await api.list({
    path: '/api/v1/authenticators',
    scope: 'authenticators',
    isFeature: true,
    schema: authenticatorSchema,
  });
  return mapRead(authenticators, oncePerId);
}
