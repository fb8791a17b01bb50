import { isDeepStrictEqual } from 'node:util';
import { type Client, DOCUMENT_TYPE, type Ingestion, readResponse } from '../support/client.ts';
import type { tracesOf } from '../support/refusal.ts';
import { expectedJob, JSON_CODES } from './expected-job.ts';
import type { RandomUpload } from './random-upload.ts';

/** The service that receives the uploads. */
export interface UploadTarget {
  readonly url: string;
  readonly key: string;
  readonly client: Client;
  readonly storedData: () => ReturnType<typeof tracesOf>;
}

/** Sends an upload and waits for its job. Returns a description of any deviation from the expected result. */
export async function tryUpload(target: UploadTarget, upload: RandomUpload): Promise<string | undefined> {
  const { url, key, storedData } = target;
  const before = await storedData();
  const response = await fetch(`${url}/api/v1/ingestions`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${key}`, 'content-type': upload.contentType },
    body: upload.body,
  });
  const type = response.headers.get('content-type');
  const { status, body } = await readResponse<Ingestion>(response);
  if (type !== DOCUMENT_TYPE || body.meta.version !== 'v1')
    return `${status} is not an API response: ${type}`;
  if (status >= 500) return `${status}: ${JSON.stringify(body)}`;
  const isAlive = (await fetch(`${url}/health/live`)).status === 200;
  if (!isAlive) return 'the service has exited';
  if (status === 202) return await followJob(target, body.data, upload);
  if (upload.file !== undefined && upload.file.length > 0)
    return `a valid request was rejected: ${JSON.stringify(body)}`;
  if (status < 400 || body.errors.length === 0) return `${status}: ${JSON.stringify(body)}`;
  const after = await storedData();
  return isDeepStrictEqual(after, before)
    ? undefined
    : `a rejected upload left ${JSON.stringify(after)}, not ${JSON.stringify(before)}`;
}

async function followJob(
  target: UploadTarget,
  { id }: Ingestion,
  upload: RandomUpload,
): Promise<string | undefined> {
  const { client } = target;
  const { attributes } = await client.ended(id, 5);
  const { summary, status } = attributes;
  const { counts } = await client.errors(id);
  const { status: fileStatus, bytes: stored } = await client.file(id);
  if (fileStatus !== 200) return `the response to the file download is ${fileStatus}`;
  if (upload.file !== undefined && !stored.equals(upload.file))
    return `the returned file has ${stored.length} bytes instead of ${upload.file.length}`;

  const { total, counts: expected } = expectedJob(stored);
  const syntaxErrors = Object.fromEntries(
    Object.entries(counts).filter(([code]) => JSON_CODES.includes(code)),
  );
  if (summary.total !== total || summary.processed !== total)
    return `${JSON.stringify(summary)}, expected ${total} records`;
  if (!isDeepStrictEqual(syntaxErrors, expected))
    return `got the job errors ${JSON.stringify(counts)}, expected ${JSON.stringify(expected)}`;
  const hasErrors = Object.keys(counts).length > 0;
  return (status === 'failed') === hasErrors
    ? undefined
    : `the job is ${status} with the errors ${JSON.stringify(counts)}`;
}
