import { fileURLToPath } from 'node:url';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import type { Environment } from '../../packages/server/test/support/service.ts';
import type { Scans } from '../generate-scans.ts';
import { startChild } from '../process/child.ts';
import { pidOf, withService } from '../service.ts';
import { type IngestCosts, measureIngestion } from './measure-ingestion.ts';

const S3_SCRIPT = fileURLToPath(new URL('../process/s3-server.ts', import.meta.url));

/**
 * Ingests both scans with blobs in S3, for one tenant. The S3 server keeps its data in memory and runs on the same
 * machine.
 */
export async function ingestWithS3({ fresh, repeated }: Scans): Promise<IngestCosts> {
  const server = await startChild(S3_SCRIPT);
  try {
    return await withService(async (service) => {
      const ingest = (file: Scans['fresh']) =>
        measureIngestion([pidOf(service)], service, { keys: [service.key], file });
      return { fresh: await ingest(fresh), repeated: await ingest(repeated) };
    }, environmentOf(server.readyMessage));
  } finally {
    await server.stop();
  }
}

/** Ingests both scans for several tenants that upload the same file at the same time. */
export async function ingestForTenants(tenants: number, { fresh, repeated }: Scans): Promise<IngestCosts> {
  return await withService(async (service) => {
    const keys: string[] = [];
    for (let tenant = 0; tenant < tenants; tenant++) keys.push(await createTenantKey(service));
    const ingest = (file: Scans['fresh']) => measureIngestion([pidOf(service)], service, { keys, file });
    return { fresh: await ingest(fresh), repeated: await ingest(repeated) };
  });
}

function environmentOf(settings: unknown): Environment {
  if (typeof settings !== 'object' || settings === null)
    throw new TypeError('The S3 server printed no settings');
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
}
