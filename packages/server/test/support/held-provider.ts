import assert from 'node:assert/strict';
import { createClient } from './client.ts';
import type { TenantService } from './service.ts';

export interface HeldProvider {
  /** Unblocks the removal of the findings. */
  readonly letGo: () => Promise<void>;
}

/** Deletes a provider and blocks the removal of its findings, which still exist but must not be visible. */
export async function deleteButHold(
  { url, key, tenantId, connect, sql }: TenantService,
  providerId: string,
): Promise<HeldProvider> {
  const holder = await connect();
  try {
    await holder.query('begin');
    await holder.query('select id from findings where tenant_id = $1 and provider_id = $2 for update', [
      tenantId,
      providerId,
    ]);
    const { status } = await createClient(url, key).delete(`/providers/${providerId}`);
    assert.equal(status, 204);
    const remaining = await sql('select id from findings where provider_id = $1', [providerId]);
    assert.ok(remaining.length > 0, 'the rows were already removed');
  } catch (error) {
    // Otherwise, the open connection would keep the test file running.
    await holder.end();
    throw error;
  }
  return { letGo: () => holder.end() };
}
