import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Ingestion } from '../../../lib/api/types.ts';

export interface RecordDefaults {
  readonly provider: string;
  readonly account: string;
}

/** Ingests the stored file of a job again, as a new job. Blank defaults are omitted. Throws a `RequestError`. */
export async function retryIngestion(
  api: Api,
  id: string,
  { provider, account }: RecordDefaults,
): Promise<Ingestion> {
  const attributes = {
    ...(provider.trim() !== '' && { provider }),
    ...(account.trim() !== '' && { account }),
  };
  const body = { data: { type: 'ingestions' as const, attributes } };
  const { data } = await readDocument(
    api.POST('/api/v1/ingestions/{id}/retry', { params: { path: { id } }, body }),
  );
  return data;
}
