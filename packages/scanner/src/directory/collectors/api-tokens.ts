import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import { type Read, read } from '../read-result.ts';
import { failed } from '../response.ts';
import type { ApiToken } from '../snapshot.ts';
import { id, network, oncePerId, text } from './fields.ts';
import type { OwnerRoles } from './owner-roles.ts';

const tokenSchema = z.object({ id, name: text, clientName: text, userId: text, network });

/** The API tokens, each with the admin roles of its owner. */
export async function readApiTokens(
  api: ManagementApi,
  owners: OwnerRoles,
): Promise<Read<readonly ApiToken[]>> {
  const tokens = await api.list({
    path: '/api/v1/api-tokens',
    // Okta ignores the limit and does not paginate this list.
    query: { limit: '200' },
    scope: 'apiTokens',
    isFeature: true,
    schema: tokenSchema,
  });
  if (tokens.kind === 'unread') return tokens;
  return read(
    await Promise.all(
      oncePerId(tokens.value).map(async (token) => ({
        ...token,
        name: token.name ?? token.id,
        ...(await rolesOf(token.userId, owners)),
      })),
    ),
  );
}

async function rolesOf(
  userId: string | null,
  owners: OwnerRoles,
): Promise<Pick<ApiToken, 'directRoles' | 'inheritedRoles'>> {
  // An unknown owner must not be treated as an owner without roles.
  if (!userId) {
    const unknown = failed<readonly string[]>('GET /api/v1/api-tokens returned the token without an owner');
    return { directRoles: unknown, inheritedRoles: [unknown] };
  }
  const [directRoles, inheritedRoles] = await Promise.all([owners.direct(userId), owners.inherited(userId)]);
  return { directRoles, inheritedRoles };
}
