import { type Read, type ReadProblem, read, unread } from '../../../src/directory/read-result.ts';
import type { ApiToken, NetworkCondition } from '../../../src/directory/snapshot.ts';

type Fields = Partial<Omit<ApiToken, 'network'>> & { readonly network?: Partial<NetworkCondition> };

/** A token that passes both checks if the zone `zone-1` exists. */
export function apiToken({ network, ...fields }: Fields = {}): ApiToken {
  return {
    id: 'tok-1',
    name: 'Sync',
    clientName: 'Directory API',
    userId: 'user-1',
    network: { connection: 'ZONE', include: ['zone-1'], exclude: [], ...network },
    directRoles: read(['READ_ONLY_ADMIN']),
    inheritedRoles: [],
    ...fields,
  };
}

export function tokens(...items: readonly ApiToken[]): Read<readonly ApiToken[]> {
  return read(items);
}

export function tokensUnread(problem: ReadProblem): Read<readonly ApiToken[]> {
  return unread(problem);
}
