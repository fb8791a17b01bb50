import type { z } from 'zod';
import type { Access, AccessRule } from '../../auth/permissions.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Query, QueryDescription } from '../../jsonapi/query.ts';
import { type DocumentRequest, readBody } from './read-document.ts';
import type { AddressableType } from './resource-type.ts';

/** The groups of operations in the API description. */
export const TAGS = {
  Ingestions: 'Upload files with findings, track ingestion jobs, and list errors in records.',
  Findings: 'Query the current state of every finding.',
  Scans: 'Results per upload, account and scan.',
  Providers: 'Accounts with findings. Each account counts toward the subscription.',
  Resources: 'The resources that were checked.',
  Checks: 'The security checks that produced the findings.',
  Access: 'API keys, users and roles.',
  Webhooks: 'Endpoints of yours that receive events, and the deliveries to them.',
  Account: 'Subscription and audit log.',
  Limits: 'Size, rate and time limits.',
} as const;

export type Tag = keyof typeof TAGS;

/** An authorized request with a parsed path and query. */
export interface Call extends DocumentRequest {
  readonly access: Access;
  /** The `{name}` path parameters, unvalidated. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Runs queries within the limits for concurrent reads (`Reads`). */
  readonly read: <Result>(work: (client: Queryable) => Promise<Result>) => Promise<Result>;
}

/** A document before `meta.version` is added. */
export interface ResponseDocument {
  readonly data: unknown;
  readonly included?: readonly unknown[];
  readonly links?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A response. Without a document, it has no body. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Matches the schema that the endpoint describes for this status. Checked by `assertDescribed`, but not in
   * production.
   */
  readonly document?: ResponseDocument;
}

export interface ResponseDescription {
  readonly description: string;
  /** Schema of the JSON:API document. A response without a schema has no body. */
  readonly schema?: z.ZodType;
  /** The possible media types of a body that is not a JSON:API document. */
  readonly mediaTypes?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request body that is a multipart form. */
interface FormDescription {
  readonly description: string;
  readonly schema: z.ZodType;
}

interface EndpointBase {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  /**
   * The resource type that `{id}` refers to. A malformed id results in a 404 before the query and the body are read.
   */
  readonly resourceType?: AddressableType;
  /** Schemas of the path parameters other than `{id}`, for the OpenAPI description; the handler validates them. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  /** Name of the operation in generated clients. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: AccessRule;
  /** Whether reads bypass the read queue. True for jobs, limits and the subscription. */
  readonly isUrgent?: boolean;
  readonly query: Omit<QueryDescription, 'includes'>;
  /** The supported values of `include`, each with the access rule of the corresponding list. */
  readonly includes?: Readonly<Record<string, { readonly access: AccessRule }>>;
  /** Request headers that the endpoint supports. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  /** A body that the handler reads as a stream. */
  readonly form?: FormDescription;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Error statuses in addition to 400, 401, 404 (if the path has an id), 406, 429, 500 and 503. */
  readonly errors?: readonly number[];
}

/** An API operation: its request, its responses and its handler. */
export interface Endpoint extends EndpointBase {
  /** Schema of the JSON:API document in the request, for the OpenAPI description; `withBody` parses it. */
  readonly body?: z.ZodType;
  /** Resolves to `undefined` if the handler has already sent the response. */
  readonly handle: (call: Call) => Promise<EndpointResponse | undefined>;
}

export interface EndpointWithBody<Body> extends EndpointBase {
  readonly body: z.ZodType<Body>;
  readonly handle: (call: Call, body: Body) => Promise<EndpointResponse | undefined>;
}

/** Creates an endpoint whose handler receives the request document, parsed by its schema. */
export function withBody<Body>(endpoint: EndpointWithBody<Body>): Endpoint {
  const { body, handle } = endpoint;
  return {
    ...endpoint,
    handle: async (call) => await handle(call, await readBody(call, body)),
  };
}
