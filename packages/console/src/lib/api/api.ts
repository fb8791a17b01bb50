import createClient, { type Client } from 'openapi-fetch';
import { createContext, use } from 'react';
import type { Session } from '../session.ts';
import { toRequestError, Unreachable } from './api-error.ts';
import { endRejectedSession } from './end-rejected-session.ts';
import type { paths } from './schema.d.ts';

export const MEDIA_TYPE = 'application/vnd.api+json';

/** The API of the service, typed by its own description (`npm run generate:api`). */
export type Api = Client<paths, typeof MEDIA_TYPE>;

export interface ApiOptions {
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly session: Session;
}

/** A client with the key of the session, which ends where the service does not accept that any more. */
export function createApi({ baseUrl, session }: ApiOptions): Api {
  const api = createClient<paths, typeof MEDIA_TYPE>({
    baseUrl,
    headers: { accept: MEDIA_TYPE },
    // As the description says of every list: one parameter, commas between its values.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  api.use({
    onRequest: ({ request }) => {
      const { apiKey } = session.state;
      if (apiKey !== undefined && !request.headers.has('authorization'))
        request.headers.set('authorization', authorization(apiKey));
      if (request.body !== null) request.headers.set('content-type', MEDIA_TYPE);
    },
    onResponse: async ({ request, response }) => {
      const sentWith = request.headers.get('authorization');
      if (sentWith === null || !isUnauthorized(session, response.status, sentWith)) return;
      const { message } = toRequestError(response, readBody(await response.clone().text()));
      await endRejectedSession({ baseUrl, session }, sentWith, message);
    },
    onError: ({ error }) => (isAbort(error) ? undefined : new Unreachable(error)),
  });
  return api;
}

/** RFC 9110, section 11.6.2, with the scheme of the specification. */
export function authorization(apiKey: string): string {
  return `Api-Key ${apiKey}`;
}

/** Whether this answer, to a request with this `Authorization`, may mean that the session is over (`endRefusedSession`). */
export function isUnauthorized(session: Session, status: number, sentWith: string | null): boolean {
  const { apiKey } = session.state;
  // The answer to an old key says nothing of the one in use.
  return status === 401 && apiKey !== undefined && sentWith === authorization(apiKey);
}

interface ApiResponse<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The document of an answer. Throws a `RequestError` where there is none. */
export async function readDocument<Data>(request: Promise<ApiResponse<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await translateNetworkError(request);
  if (data === undefined || data === null) throw toRequestError(response, error);
  return data;
}

/** Waits for an answer without a document, as of a removal. Throws a `RequestError` where it is an error. */
export async function ensureSuccess(request: Promise<ApiResponse<unknown>>): Promise<void> {
  const { error, response } = await translateNetworkError(request);
  if (!response.ok) throw toRequestError(response, error);
}

/** A connection may break in the middle of an answer, too (Fetch, section 5.2: a TypeError). */
async function translateNetworkError<Data>(request: Promise<ApiResponse<Data>>): Promise<ApiResponse<Data>> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(error) : error;
  }
}

/** The JSON of an answer's text, or the text itself where it is none. */
export function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is told apart by its type.
    return text;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApi(): Api {
  const api = use(ApiContext);
  if (api === undefined) throw new Error('there is no <ApiContext> around');
  return api;
}
