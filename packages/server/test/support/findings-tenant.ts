import assert from 'node:assert/strict';
import { type ApiResponse, type Client, createClient, type Resource } from './client.ts';
import { deleteButHold } from './held-provider.ts';
import { joinService, type SharedService } from './lanes.ts';
import { type SeededFindings, seedFindings } from './listed-findings.ts';
import { createSecondTenant, type SecondTenant } from './second-tenant.ts';

/**
 * A tenant with findings, in a service where another tenant has findings too. One of the tenant's providers is deleted,
 * but its findings are not removed yet.
 */
export interface FindingsTenant extends SeededFindings {
  readonly service: SharedService;
  readonly client: Client;
  readonly second: SecondTenant;
  /** Returns the response to a valid query. */
  readonly list: (query?: string) => Promise<ApiResponse<Resource[]>>;
  readonly leave: () => Promise<void>;
}

export async function createFindingsTenant(): Promise<FindingsTenant> {
  const service = await joinService();
  const client = createClient(service.url, service.key);
  const second = await createSecondTenant(service);
  const seeded = await seedFindings(service, client, second.client);
  const deletedProvider = await deleteButHold(service, seeded.ofDeletedProvider[0]?.provider ?? '');
  const list = async (query = '') => {
    const response = await client.get<Resource[]>(`/findings?${query}`);
    assert.equal(response.status, 200, `${query}: ${JSON.stringify(response.body.errors)}`);
    return response;
  };
  const leave = async () => {
    await deletedProvider.letGo();
    await service.leave();
  };
  return { ...seeded, service, client, second, list, leave };
}

/** Returns the IDs of the resources in a response, in their order. */
export function idsOf({ body }: ApiResponse<Resource[]>): string[] {
  return body.data.map(({ id }) => id);
}
