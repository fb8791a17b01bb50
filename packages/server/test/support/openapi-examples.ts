import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Client } from './client.ts';
import { record, without } from './records.ts';

/** A successful request of an operation. */
export interface Example {
  /** The value of `{id}` in the path. */
  readonly id?: string;
  /** The values of other path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Values of query parameters that refer to a resource. */
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly form?: FormData;
}

/** The path of a request. Path parameters come from the example; missing parameters are 0. */
export function pathFor(path: string, { id = '', params = {} }: Example): string {
  const values = new Map(Object.entries({ id, ...params }));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? '0'));
}

/** The resources from which examples are built. */
export interface ExampleSource {
  /** Returns the ID of the first resource in a list, such as `/findings`. */
  readonly first: (list: string) => Promise<string>;
  /** Creates a resource for the example with a POST to the list, and returns the resource's ID. */
  readonly made: (list: string, body: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** Every API operation by ID. Add a line for each new operation; the test reports operations without an example. */
export const EXAMPLES: Readonly<Record<string, (source: ExampleSource) => Promise<Example>>> = {
  createIngestion: async () => ({ form: upload([record()]) }),
  retryIngestion: async ({ first }) => ({
    id: await first('/ingestions?filter[status]=failed'),
    body: { data: { type: 'ingestions', attributes: { provider: 'kubernetes', account: 'cluster-1' } } },
  }),
  listIngestions: async () => ({}),
  getIngestion: async ({ first }) => ({ id: await first('/ingestions') }),
  listIngestionWarnings: async ({ first }) => ({ id: await first('/ingestions') }),
  getDryRun: async ({ first }) => ({ id: await first(DRY_RUNS) }),
  listIngestionErrors: async ({ first }) => ({ id: await first('/ingestions?filter[status]=failed') }),
  getIngestionRecord: async ({ first }) => ({
    id: await first('/ingestions'),
    params: { record_index: '0' },
  }),
  getIngestionFile: async ({ first }) => ({ id: await first('/ingestions') }),

  listFindings: async () => ({}),
  getFinding: async ({ first }) => ({ id: await first('/findings') }),
  listFindingHistory: async ({ first }) => ({ id: await first('/findings') }),
  summarizeFindings: async () => ({}),
  readFindingTrend: async () => ({}),
  groupFindings: async () => ({ query: 'by=check' }),
  exportFindings: async ({ first }) => ({
    query: 'format=csv',
    values: { 'page[after]': await first('/findings'), 'page[after_values]': '{}' },
  }),

  listScans: async () => ({}),
  getScan: async ({ first }) => ({ id: await first('/scans') }),

  listProviders: async () => ({}),
  getProvider: async ({ first }) => ({ id: await first('/providers') }),
  updateProvider: async ({ first }) => {
    const id = await first('/providers');
    return { id, body: { data: { type: 'providers', id, attributes: { alias: 'Production' } } } };
  },
  resolveProviderFindings: async ({ first }) => {
    const id = await first('/providers');
    return { id, body: { data: { type: 'providers', id, attributes: { product: 'Cloud scanner' } } } };
  },
  deleteProvider: async ({ first }) => ({ id: await first('/providers?filter[type]=azure') }),

  listResources: async () => ({}),
  getResource: async ({ first }) => ({ id: await first('/resources') }),

  listChecks: async () => ({}),
  getCheck: async ({ first }) => ({ id: await first('/checks') }),

  listApiKeys: async () => ({}),
  getApiKey: async ({ first }) => ({ id: await first('/api-keys') }),
  createApiKey: async () => ({ body: newKey('Created by a test') }),
  revokeApiKey: async ({ made }) => ({ id: await made('/api-keys', newKey('To be revoked')) }),

  listUsers: async () => ({}),
  getUser: async ({ first }) => ({ id: await first('/users') }),
  createUser: async () => ({ body: newUser('made@example.com') }),
  updateUser: async ({ made }) => {
    const id = await made('/users', newUser('before@example.com'));
    return { id, body: { data: { type: 'users', id, attributes: { email: 'after@example.com' } } } };
  },
  deleteUser: async ({ made }) => ({ id: await made('/users', newUser('leaving@example.com')) }),

  listRoles: async () => ({}),
  getRole: async ({ first }) => ({ id: await first('/roles') }),
  createRole: async () => ({ body: newRole('Created by a test') }),
  updateRole: async ({ made }) => {
    const id = await made('/roles', newRole('Before'));
    return { id, body: { data: { type: 'roles', id, attributes: { name: 'After' } } } };
  },
  deleteRole: async ({ made }) => ({ id: await made('/roles', newRole('To be deleted')) }),

  listWebhooks: async () => ({}),
  getWebhook: async ({ made }) => ({ id: await made('/webhooks', newWebhook()) }),
  createWebhook: async () => ({ body: newWebhook() }),
  updateWebhook: async ({ made }) => {
    const id = await made('/webhooks', newWebhook());
    return { id, body: { data: { type: 'webhooks', id, attributes: { events: ['provider.created'] } } } };
  },
  rotateWebhookSecret: async ({ made }) => ({ id: await made('/webhooks', newWebhook()) }),
  deleteWebhook: async ({ made }) => ({ id: await made('/webhooks', newWebhook()) }),
  testWebhook: async ({ made }) => ({ id: await made('/webhooks', newWebhook()) }),
  listWebhookDeliveries: async ({ made }) => ({ id: await made('/webhooks', newWebhook()) }),
  getWebhookDelivery: async ({ made }) => ({ id: await madeDelivery(made) }),
  repeatWebhookDelivery: async ({ made }) => ({ id: await madeDelivery(made) }),

  getSubscription: async () => ({}),
  listAuditEvents: async () => ({}),
  getAuditEvent: async ({ first, made }) => {
    await made('/roles', newRole('For the audit trail'));
    return { id: await first('/audit-events') };
  },
  getLimits: async () => ({}),
};

/** Files that fill every list: two accounts, every status, muted findings, and invalid records. */
const FILES: readonly (readonly Record<string, unknown>[])[] = [
  [
    record(),
    record({
      finding_info: { uid: 'finding-2' },
      metadata: { event_code: 'bucket_not_public', product: { name: 'Cloud scanner', version: '1.0' } },
      status_code: 'PASS',
      severity_id: 1,
      severity: 'Informational',
    }),
    record({ finding_info: { uid: 'finding-3' }, status_code: 'MANUAL', status_id: 3, severity_id: 99 }),
    without('resources', record({ finding_info: { uid: 'finding-4' } })),
    without('remediation', record({ metadata: { event_code: 'other_check' } })),
    record({ cloud: { provider: 'azure', account: { uid: 'subscription-1' } } }),
  ],
  [record({ status_code: 'PASS', time: 1_790_000_000 }), without('finding_info.uid'), { class_uid: 1 }],
];

function upload(records: readonly unknown[]): FormData {
  const form = new FormData();
  form.append('file', new Blob([JSON.stringify(records)]), 'findings.ocsf.json');
  return form;
}

function newKey(name: string) {
  return { data: { type: 'api-keys', attributes: { name, permissions: ['manage_scans'] } } };
}

function newUser(email: string) {
  return { data: { type: 'users', attributes: { email } } };
}

function newRole(name: string) {
  return { data: { type: 'roles', attributes: { name, permissions: ['manage_scans'] } } };
}

/** No server has this name (RFC 6761, section 6.4). */
function newWebhook() {
  const attributes = { url: 'https://receiver.invalid/', events: ['ingestion.failed'] };
  return { data: { type: 'webhooks', attributes } };
}

async function madeDelivery(made: ExampleSource['made']): Promise<string> {
  return await made(`/webhooks/${await made('/webhooks', newWebhook())}/test`, {});
}

const resource = z.object({ id: z.string() });

/** Returns the ID of the resource in a document, or of the first resource in a list. */
export function idIn(document: unknown): string {
  const read = z.object({ data: z.union([resource, z.array(resource)]) }).safeParse(document);
  assert.ok(read.success, `there is no resource in ${JSON.stringify(document)}`);
  const [found] = [read.data.data].flat();
  assert.ok(found !== undefined, 'the list is empty');
  return found.id;
}

const DRY_RUN_FILE = 'dry-run.ocsf.json';

/** The list of the jobs of `uploadDryRun`. */
export const DRY_RUNS = `/ingestions?filter[search]=${DRY_RUN_FILE}`;

/** Uploads a file as a dry run and waits for its end. */
export async function uploadDryRun(client: Client): Promise<void> {
  await client.ingest([record()], { fileName: DRY_RUN_FILE, parts: { dry_run: 'true' } });
}

/** Uploads the files that the examples need. */
export async function ingestExamples(client: Client): Promise<void> {
  for (const file of FILES) await client.ingest(file);
  await uploadDryRun(client);
}
