import type { TestContext } from 'node:test';
import { type Received, type Reply, type StandIn, startStandIn } from './stand-in.ts';

export const JOB_ID = '0198a000-0000-7000-8000-00000000abcd';

/** Replacements for the default responses: 202 for uploads, and 404 for all other requests. */
export interface ServiceResponses {
  readonly onUpload?: (request: Received) => Reply | Promise<Reply>;
  readonly onJob?: () => Reply;
  readonly onErrors?: () => Reply;
}

interface JobFacts {
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly total: number;
  readonly processed: number;
  readonly invalid: number;
}

/** A job as the service returns it (docs/specification.md, "Ingestion job"). */
export function jobDocument({ status, ...summary }: JobFacts): unknown {
  const attributes = {
    status,
    summary,
    requested_at: '2026-01-31T00:00:00.000000Z',
    started_at: status === 'pending' ? null : '2026-01-31T00:00:01.000000Z',
    completed_at: status === 'completed' || status === 'failed' ? '2026-01-31T00:00:02.000000Z' : null,
  };
  return { data: { type: 'ingestions', id: JOB_ID, attributes }, meta: { version: 'v1' } };
}

export function pending(total: number): Reply {
  return { status: 202, body: jobDocument({ status: 'pending', total, processed: 0, invalid: 0 }) };
}

/** Starts a stand-in for the ingestion service with only the endpoints in the specification. */
export async function startStandInService(
  test: TestContext,
  responses: ServiceResponses = {},
): Promise<StandIn> {
  const { onUpload = () => pending(1), onJob, onErrors } = responses;
  const job = '/api/v1/ingestions';
  return await startStandIn(test, async (request) => {
    const at = `${request.method} ${request.target.replace(/\?.*/, '')}`;
    if (at === `POST ${job}`) return await onUpload(request);
    if (at === `GET ${job}/${JOB_ID}` && onJob !== undefined) return onJob();
    if (at === `GET ${job}/${JOB_ID}/errors` && onErrors !== undefined) return onErrors();
    return { status: 404, body: { errors: [{ detail: 'Not found' }] } };
  });
}

/** Returns the form field `file` of an uncompressed upload. */
export async function uploadedFile({ headers, body }: Received): Promise<Buffer> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = form.get('file');
  if (file === null || typeof file === 'string') throw new TypeError('the upload has no file');
  return Buffer.from(await file.arrayBuffer());
}
