import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ERROR_TITLES } from '../../src/jsonapi/errors.ts';
import type { Row } from './administration.ts';
import { type ApiResponse, DOCUMENT_TYPE, type ErrorObject } from './client.ts';
import type { TenantService } from './service.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: RegExp;
  readonly source?: ErrorObject['source'];
}

/** Asserts that a response is a JSON:API error document with exactly this error, and returns it. */
export function assertRefused(
  { status, headers, body }: ApiResponse<unknown>,
  expected: Refusal,
): ErrorObject {
  const [error, ...others] = body.errors ?? [];
  assert.ok(error, `expected an error, got ${status} ${JSON.stringify(body)}`);
  assert.deepEqual(
    {
      status,
      type: headers.get('content-type'),
      members: Object.keys(body).sort(),
      meta: body.meta,
      others,
      error: { status: error.status, code: error.code, source: error.source },
    },
    {
      status: expected.status,
      type: DOCUMENT_TYPE,
      members: ['errors', 'meta'],
      meta: { version: 'v1' },
      others: [],
      error: { status: String(expected.status), code: expected.code, source: expected.source },
    },
  );
  assert.match(error.detail, expected.detail);
  assert.equal(error.id, headers.get('x-request-id'));
  assert.equal(error.title, new Map<string, string>(Object.entries(ERROR_TITLES)).get(error.code));
  if (error.source?.pointer) assert.ok(!error.detail.includes(error.source.pointer), error.detail);
  return error;
}

export type TemporaryError = readonly [status: number, code: string, retryAfter: string];

/** Asserts the status, the error code and Retry-After of a response that asks the client to retry. */
export function assertTemporary(
  { status, headers, body }: ApiResponse<unknown>,
  expected: TemporaryError,
): void {
  const [error] = body.errors;
  assert.deepEqual([status, error?.code, headers.get('retry-after')], expected);
  assert.equal(error?.id, headers.get('x-request-id'));
}

/** The data of accepted uploads in a service, across all tenants: rows by table, and blob files. */
export async function tracesOf({ sql, dataDir }: TenantService): Promise<{ rows: Row[]; blobs: string[] }> {
  const tables = ['ingestions', 'frames', 'idempotency_keys'];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  return { rows: await sql(`select ${counts.join(', ')}`), blobs: await blobsOf(dataDir) };
}

/** Returns the files below the blob folder, which may not exist yet. */
export async function blobsOf(dataDir: string): Promise<string[]> {
  const root = path.join(dataDir, 'blobs');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Returns the path of a job's blob. */
export async function blobOf(dataDir: string, id: string): Promise<string> {
  return (await blobsOf(dataDir)).find((file) => file.includes(id)) ?? assert.fail(`${id} has no blob`);
}

/** Asserts that a request is rejected with this error and that the service is unchanged. */
export async function assertRefusedWithoutTrace(
  service: TenantService,
  send: () => Promise<ApiResponse<unknown>>,
  expected: Refusal,
): Promise<ErrorObject> {
  const before = await tracesOf(service);
  const error = assertRefused(await send(), expected);
  assert.deepEqual(await tracesOf(service), before);
  return error;
}
