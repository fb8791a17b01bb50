import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import type { User } from '../../../lib/api/types.ts';

/** The maximum number of users to choose from. */
const MAX_USERS = 200;

/** The first users, sorted by email address. Empty if the current key can't read users. */
export const usersQuery = (api: Api) =>
  queryOptions({
    queryKey: ['users', 'choices'],
    queryFn: async ({ signal }): Promise<readonly User[]> => {
      const query = { sort: ['email' as const], 'page[size]': MAX_USERS };
      try {
        return (await readDocument(api.GET('/api/v1/users', { params: { query }, signal }))).data;
      } catch (error) {
        if (error instanceof ApiError && error.isAccessDenied) return [];
        throw error;
      }
    },
    staleTime: 60_000,
  });
