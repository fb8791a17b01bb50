import { setTimeout as sleep } from 'node:timers/promises';

export interface ErrorObject {
  readonly id: string;
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string };
  readonly meta?: Record<string, unknown>;
}

export interface Ingestion {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly status: string;
    readonly summary: { readonly total: number; readonly processed: number; readonly invalid: number };
    readonly requested_at: string;
    readonly started_at: string | null;
    readonly completed_at: string | null;
  };
  readonly links: Record<string, string>;
  readonly meta: Record<string, unknown>;
}

export interface IngestionError {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly code: string;
    readonly detail: string;
    readonly record_index: number | null;
    readonly byte_offset: number;
    readonly pointer: string | null;
    readonly finding_uid: string | null;
  };
}

/** A resource of any type. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, Relationship>>;
  readonly links: Readonly<Record<string, string>>;
}

interface Relationship {
  readonly data: { readonly type: string; readonly id: string };
  readonly links: { readonly related: string };
}

/** An API document. The members depend on the request; a response without a body has none. */
export interface ApiDocument<Data> {
  readonly data: Data;
  readonly included?: readonly Resource[];
  readonly errors: readonly ErrorObject[];
  readonly links: Record<string, string | null>;
  readonly meta: {
    readonly version: string;
    readonly pagination: { readonly page: number; readonly pages: number; readonly count: number };
    readonly counts: Record<string, number>;
  };
}

export interface ApiResponse<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ApiDocument<Data>;
}

export interface ApiTextResponse<Data> extends ApiResponse<Data> {
  /** The body as received. */
  readonly text: string;
}

export interface UploadOptions {
  readonly fileName?: string;
  /** Text fields in addition to the file. A field with several texts is sent once for each. */
  readonly parts?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Bytes, text, or any value that is sent as JSON. */
export type FileContent = Uint8Array<ArrayBuffer> | string | readonly unknown[];

export interface Client {
  readonly get: <Data = Ingestion>(
    path: string,
    headers?: Record<string, string>,
  ) => Promise<ApiTextResponse<Data>>;
  readonly delete: (path: string) => Promise<ApiResponse<unknown>>;
  /** Sends a JSON:API document with this `data`. */
  readonly document: <Data = unknown>(
    method: 'POST' | 'PATCH',
    path: string,
    data: unknown,
  ) => Promise<ApiResponse<Data>>;
  readonly upload: (file: FileContent, options?: UploadOptions) => Promise<ApiResponse<Ingestion>>;
  /** Sends any request. */
  readonly send: <Data = unknown>(path: string, init: RequestInit) => Promise<ApiTextResponse<Data>>;
  /** Returns a client for the same service with another key. */
  readonly as: (key: string) => Client;
  /** Polls until the job has ended, with increasing delays. The first delay is this many milliseconds. */
  readonly ended: (id: string, pollMs?: number) => Promise<Ingestion>;
  /** Uploads a file and waits for the job. Throws if the upload is not accepted. */
  readonly ingest: (file: FileContent, options?: UploadOptions) => Promise<Ingestion>;
  /** Returns the file of a job, byte for byte, or the body of an error response. */
  readonly file: (id: string) => Promise<{ status: number; bytes: Buffer }>;
  /** Returns all stored errors of a job and their counts. */
  readonly errors: (
    id: string,
  ) => Promise<{ errors: IngestionError['attributes'][]; counts: Record<string, number> }>;
}

/** The JSON:API media type. */
export const DOCUMENT_TYPE = 'application/vnd.api+json';
const API = '/api/v1';
const JOB_MS = 60_000;
/** Polling takes CPU time from the job. */
const MAX_POLL_MS = 200;

/** An API client over real HTTP. */
export function createClient(url: string, key: string): Client {
  const request = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: `Api-Key ${key}`, ...Object.fromEntries(new Headers(init.headers)) };
    return fetch(`${url}${API}${path}`, { ...init, headers });
  };
  const send: Client['send'] = async (path, init) => await readResponse(await request(path, init));
  const get: Client['get'] = (path, headers = {}) => send(path, { headers });
  const upload: Client['upload'] = (
    file,
    { fileName = 'findings.ocsf.json', parts = {}, headers = {} } = {},
  ) => {
    const form = new FormData();
    for (const [name, texts] of Object.entries(parts))
      for (const text of [texts].flat()) form.append(name, text);
    form.append('file', new Blob([toBytes(file)]), fileName);
    return send('/ingestions', { method: 'POST', body: form, headers });
  };
  const ended: Client['ended'] = async (id, pollMs = 20) => {
    const start = Date.now();
    for (let waited = 0; waited < JOB_MS; waited = Date.now() - start) {
      const { body } = await get(`/ingestions/${id}`);
      if (body.data.attributes.completed_at !== null) return body.data;
      await sleep(Math.max(pollMs, Math.min(waited / 10, MAX_POLL_MS)));
    }
    throw new Error(`ingestion ${id} has not ended within ${JOB_MS} ms`);
  };
  return {
    get,
    delete: (path) => send(path, { method: 'DELETE' }),
    document: (method, path, data) =>
      send(path, { method, headers: { 'content-type': DOCUMENT_TYPE }, body: JSON.stringify({ data }) }),
    upload,
    send,
    as: (other) => createClient(url, other),
    ended,
    ingest: async (file, options) => {
      const { status, body } = await upload(file, options);
      if (status !== 202)
        throw new Error(`the response to the upload was ${status}: ${JSON.stringify(body)}`);
      return await ended(body.data.id);
    },
    file: async (id) => {
      const response = await request(`/ingestions/${id}/file`);
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    errors: async (id) => {
      const { body } = await get<IngestionError[]>(`/ingestions/${id}/errors?page[size]=1000`);
      return { errors: body.data.map(({ attributes }) => attributes), counts: body.meta.counts };
    },
  };
}

/** Reads a response. A 204 response and the response to a HEAD request have no body. */
export async function readResponse<Data>(response: Response): Promise<ApiTextResponse<Data>> {
  const text = await response.text();
  const body: ApiDocument<Data> = JSON.parse(text || '{}');
  return { status: response.status, headers: response.headers, body, text };
}

function toBytes(file: FileContent): Uint8Array<ArrayBuffer> | string {
  if (typeof file === 'string' || file instanceof Uint8Array) return file;
  return JSON.stringify(file);
}
