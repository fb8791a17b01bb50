import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Provider } from '../../../lib/api/types.ts';

/** Sets a provider's alias, or removes the alias if it is null. Throws a `RequestError`. */
export async function setAlias(api: Api, id: string, alias: string | null): Promise<Provider> {
  const body = { data: { type: 'providers' as const, id, attributes: { alias } } };
  const { data } = await readDocument(
    api.PATCH('/api/v1/providers/{id}', { params: { path: { id } }, body }),
  );
  return data;
}
