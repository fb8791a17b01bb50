import createClient, { type Client } from 'openapi-fetch';
import { createContext, use } from 'react';
import type { Session } from '../session.ts';
import { toRequestError, Unreachable } from './api-error.ts';
import { endRejectedSession } from './end-rejected-session.ts';
import type { paths } from './schema.d.ts';

export const MEDIA_TYPE = 'application/vnd.api+json';

/** The API client, typed by the OpenAPI description (`npm run generate:api`). */
export type Api = Client<paths, typeof MEDIA_TYPE>;

export interface ApiOptions {
  /** The URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly session: Session;
}

/** Creates a client that sends the session's API key. The session ends if the service no longer accepts the key. */
export function createApi({ baseUrl, session }: ApiOptions): Api {
  const api = createClient<paths, typeof MEDIA_TYPE>({
    baseUrl,
    headers: { accept: MEDIA_TYPE },
    // Lists are sent as one parameter with comma-separated values, as in the OpenAPI description.
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

/** The Authorization header (RFC 9110, section 11.6.2) with the scheme from the specification. */
export function authorization(apiKey: string): string {
  return `Api-Key ${apiKey}`;
}

/** Whether this response can mean that the session's key is no longer valid (see `endRejectedSession`). */
export function isUnauthorized(session: Session, status: number, sentWith: string | null): boolean {
  const { apiKey } = session.state;
  // A response to a request with a previous key says nothing about the current key.
  return status === 401 && apiKey !== undefined && sentWith === authorization(apiKey);
}

interface ApiResponse<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the response document. Throws a `RequestError` for an error response. */
export async function readDocument<Data>(request: Promise<ApiResponse<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await translateNetworkError(request);
  if (data === undefined || data === null) throw toRequestError(response, error);
  return data;
}

/** Waits for a response without a document, such as after a deletion. Throws a `RequestError` for an error response. */
export async function ensureSuccess(request: Promise<ApiResponse<unknown>>): Promise<void> {
  const { error, response } = await translateNetworkError(request);
  if (!response.ok) throw toRequestError(response, error);
}

/** Converts the TypeError that is thrown if the connection breaks during the response (Fetch, section 5.2). */
async function translateNetworkError<Data>(request: Promise<ApiResponse<Data>>): Promise<ApiResponse<Data>> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(error) : error;
  }
}

/** Parses the response as JSON. Returns the text if it is not JSON. */
export function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller distinguishes text from a JSON document by its type.
    return text;
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApi(): Api {
  const api = use(ApiContext);
  if (api === undefined) throw new Error('useApi must be used inside <ApiContext>');
  return api;
}
