import { createClient } from '../../packages/server/test/support/client.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import type { BenchFile } from '../generate-file.ts';
import { postFile } from '../post-file.ts';
import { type Cost, measure } from '../process/measure.ts';
import { waitForJob } from '../service.ts';

/** The costs of a first scan and of a repeated scan. */
export interface IngestCosts {
  readonly fresh: Cost;
  readonly repeated: Cost;
}

/**
 * Measures concurrent ingestions of the same file, one per API key, from the first byte sent to the completion of the
 * last job. `pids` are the process IDs of the service.
 */
export async function measureIngestion(
  pids: readonly number[],
  service: Service,
  { keys, file }: { readonly keys: readonly string[]; readonly file: BenchFile },
): Promise<Cost> {
  const ingest = async (key: string) => {
    const id = await postFile({ url: service.url, key }, file.path);
    const records = await waitForJob(createClient(service.url, key), id);
    if (records !== file.records) throw new Error(`${records} of ${file.records} records were ingested`);
  };
  return await measure(pids, service, file.path, async () => {
    await Promise.all(keys.map(ingest));
  });
}
