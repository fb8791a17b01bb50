import { REMOVALS_CHANNEL } from '../../src/db/notifications.ts';
import type { PlannedUpload } from '../kill/planned-upload.ts';
import type { Operator } from '../support/operator.ts';
import { DELETED_ACCOUNT } from './scenario-uploads.ts';
import { jobEnd, recovered, repeatUntilSuccess, request, send, type Tenant } from './tenant.ts';

/** Runs uploads, a repeated upload, a download, the deletion of a provider, and the retry of a failed job. */
export async function ingest(tenant: Tenant, operator: Operator): Promise<void> {
  const { plans } = tenant;
  const first = await accepted(tenant, plans.first);
  const repeatedId = await send({ ...tenant, sent: [] }, plans.first);
  if (repeatedId !== first)
    tenant.faults.add(`${plans.first.fileName} created ${first}, but ${repeatedId} when repeated`);
  const second = await send(tenant, plans.second);
  if (second !== undefined) await jobEnd(tenant, second);
  // After the response has started, a failure can only close the connection.
  const download = async () => await tenant.client.file(first).catch(() => ({ status: 503 }));
  await request(tenant, 'the download', [200], download);
  await deleteProvider(tenant);
  const givenUp = await accepted(tenant, plans.givenUp);
  await retry(tenant, operator, givenUp);
  await jobEnd(tenant, givenUp);
}

async function accepted(tenant: Tenant, plan: PlannedUpload): Promise<string> {
  const id = await send(tenant, plan);
  if (id === undefined) throw new Error(`${plan.fileName} was not accepted`);
  await jobEnd(tenant, id);
  return id;
}

async function deleteProvider(tenant: Tenant): Promise<void> {
  const { client, id, sql } = tenant;
  const [provider] = await sql<{ id: string }>(
    'select id from providers where tenant_id = $1 and account = $2',
    [id, DELETED_ACCOUNT],
  );
  // 404 means that the response to the previous attempt was lost.
  const remove = async () => await client.delete(`/providers/${provider?.id}`);
  await request(tenant, 'the deletion', [204, 404], remove);
  await recovered(
    'the provider removal',
    async () => {
      const pending = await sql('select from provider_removals where tenant_id = $1', [id]);
      return pending.length === 0;
    },
    () => sql(`notify ${REMOVALS_CHANNEL}`),
  );
}

/**
 * Retries the job as an operator would, repeating the command if it fails. If the commit of a failed command succeeded
 * anyway, nothing is left to retry.
 */
async function retry(tenant: Tenant, operator: Operator, id: string): Promise<void> {
  await repeatUntilSuccess(tenant, 'the retry', async () => {
    await operator.sluiceJson('job', 'retry', '--tenant', tenant.id, id).catch((error: unknown) => {
      if (!/ingestion .* has no failed frames/.test(String(error))) throw error;
    });
  });
}
