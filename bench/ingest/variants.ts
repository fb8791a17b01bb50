import { fileURLToPath } from 'node:url';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import type { Environment } from '../../packages/server/test/support/service.ts';
import type { Scans } from '../generate-scans.ts';
import { startChild } from '../process/child.ts';
import { pidOf, withService } from '../service.ts';
import { type IngestCosts, measureIngestion } from './measure-ingestion.ts';

const S3_SCRIPT = fileURLToPath(new URL('../process/s3-server.ts', import.meta.url));

/** One tenant, the blobs in S3: a server in memory, which takes its part of the same processors. */
export async function ingestWithS3({ fresh, again }: Scans): Promise<IngestCosts> {
  const server = await startChild(S3_SCRIPT);
  try {
    return await withService(async (service) => {
      const ingest = (file: Scans['fresh']) =>
        measureIngestion([pidOf(service)], service, { keys: [service.key], file });
      return { fresh: await ingest(fresh), repeated: await ingest(again) };
    }, environmentOf(server.ready));
  } finally {
    await server.stop();
  }
}

/** So many tenants that upload the same file at the same time, each for itself. */
export async function ingestForTenants(tenants: number, { fresh, again }: Scans): Promise<IngestCosts> {
  return await withService(async (service) => {
    const keys: string[] = [];
    for (let tenant = 0; tenant < tenants; tenant++) keys.push(await createTenantKey(service));
    const ingest = (file: Scans['fresh']) => measureIngestion([pidOf(service)], service, { keys, file });
    return { fresh: await ingest(fresh), repeated: await ingest(again) };
  });
}

function environmentOf(said: unknown): Environment {
  if (typeof said !== 'object' || said === null) throw new TypeError('the S3 server has told no settings');
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)]));
}
