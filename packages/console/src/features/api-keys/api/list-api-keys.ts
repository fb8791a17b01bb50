import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { indexIncluded } from '../../../lib/api/included.ts';
import { listPage } from '../../../lib/api/list-page.ts';
import { withPermissionFallback } from '../../../lib/api/permission-fallback.ts';
import type { ApiKey, User } from '../../../lib/api/types.ts';

const PAGE_SIZE = 25;

/** The sort keys that the API supports. */
export const API_KEY_SORTS = ['inserted_at', 'expires_at', 'last_used_at'] as const;
type ApiKeySort = (typeof API_KEY_SORTS)[number] | `-${(typeof API_KEY_SORTS)[number]}`;

/** The values of the `revoked` filter. */
export const REVOKED = ['false', 'true'] as const;

interface ApiKeyList {
  /** To list all keys, use an empty list or both values. */
  readonly revoked: readonly (typeof REVOKED)[number][];
  readonly search: string;
  readonly sort: ApiKeySort;
  readonly page: number;
}

export interface ListedKey {
  readonly apiKey: ApiKey;
  /** `undefined` if the current key can't read users. */
  readonly user: User | undefined;
}

/** A page of keys, with their users if the current key can read users. */
export const apiKeysQuery = (api: Api, { revoked, search, sort, page }: ApiKeyList) =>
  queryOptions({
    queryKey: ['api-keys', 'list', revoked, search, sort, page],
    queryFn: async ({ signal, client }) => {
      const [only, ...others] = revoked;
      const { data, included, meta } = await withPermissionFallback(client, 'users', (isFull) => {
        const query = {
          ...(only !== undefined && others.length === 0 && { 'filter[revoked]': only }),
          ...(search !== '' && { 'filter[search]': search }),
          include: isFull ? ['user' as const] : [],
          sort: [sort],
          'page[number]': page,
          'page[size]': PAGE_SIZE,
        };
        return readDocument(api.GET('/api/v1/api-keys', { params: { query }, signal }));
      });
      const users = indexIncluded(included, 'users');
      const items = data.map((apiKey): ListedKey => {
        const id = apiKey.relationships.user.data?.id;
        return { apiKey, user: id === undefined ? undefined : users.get(id) };
      });
      return listPage(items, meta.pagination);
    },
    placeholderData: keepPreviousData,
  });
