import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

const JOB = '01a1b2c3-d4e5-7f60-8a9b-0c1d2e3f4a5b';

interface Upload {
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The text part `coverage`, or `undefined` if the upload declares none. */
  readonly coverage: string | undefined;
  readonly bytes: number;
}

export interface FakeService {
  readonly url: string;
  readonly uploads: readonly Upload[];
  readonly stop: () => Promise<void>;
}

export interface FakeServiceOptions {
  /** The final status of each job. */
  readonly jobStatus?: 'completed' | 'failed';
  /** The HTTP status of the response to uploads, instead of 202. */
  readonly uploadStatus?: number;
}

/** Starts an HTTP server that implements the API, accepts all files, and supports no content encodings. */
export async function startFakeService({
  jobStatus = 'completed',
  uploadStatus,
}: FakeServiceOptions = {}): Promise<FakeService> {
  const uploads: Upload[] = [];
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => response.destroy(new Error(String(error))));
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk));
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers } = request;
    const route = `${method} ${url}`;
    if (route === 'GET /api/v1/limits')
      return send(response, 404, problem(404, 'not_found', 'The page does not exist.'));
    if (route === 'POST /api/v1/ingestions') {
      uploads.push({
        authorization: headers.authorization,
        idempotencyKey: headers['idempotency-key']?.toString(),
        coverage: await readCoverage(body, headers['content-type']),
        bytes: body.length,
      });
      if (uploadStatus === undefined) return send(response, 202, job('pending'));
      return send(
        response,
        uploadStatus,
        problem(uploadStatus, 'refused', 'The tenant has no active subscription.'),
      );
    }
    if (route.startsWith(`GET /api/v1/ingestions/${JOB}/errors`))
      return send(response, 200, { data: [], meta: { version: 'v1' } });
    if (route.startsWith(`GET /api/v1/ingestions/${JOB}`)) return send(response, 200, job(jobStatus));
    return send(response, 404, problem(404, 'not_found', 'The page does not exist.'));
  };
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    uploads,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readCoverage(body: Buffer<ArrayBuffer>, contentType = ''): Promise<string | undefined> {
  const form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData();
  return form.get('coverage')?.toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/vnd.api+json' }).end(JSON.stringify(body));
}

function problem(status: number, code: string, detail: string) {
  return { errors: [{ status: String(status), code, detail }], meta: { version: 'v1' } };
}

function job(status: 'pending' | 'completed' | 'failed') {
  const time = '2026-08-01T00:00:00.000000Z';
  const ended = status === 'pending' ? null : time;
  const summary = { total: 29, processed: ended === null ? 0 : 29, invalid: status === 'failed' ? 1 : 0 };
  const attributes = { status, summary, requested_at: time, started_at: ended, completed_at: ended };
  return { data: { type: 'ingestions', id: JOB, attributes }, meta: { version: 'v1' } };
}
