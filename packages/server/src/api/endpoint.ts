import type { z } from 'zod';
import type { Queryable } from '../db/transaction.ts';
import type { Query, QueryDescription } from '../jsonapi/query.ts';
import type { Access, AccessRule } from '../plugins/access.ts';
import { type DocumentRequest, readBody } from './read-body.ts';
import type { NamedKind } from './resource-kind.ts';
import type { Tag } from './tags.ts';

/** A request that has been let in and read. */
export interface Call extends DocumentRequest {
  readonly access: Access;
  /** The `{name}`s of the path; ids are texts that may be anything. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Reads from the database (`Reads`). */
  readonly read: <Result>(work: (client: Queryable) => Promise<Result>) => Promise<Result>;
}

/** A document before its version is put into its `meta`. */
export interface OutcomeDocument {
  readonly data: unknown;
  readonly included?: readonly unknown[];
  readonly links?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An answer: a document where its schema says so, or nothing. */
export interface Outcome {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Read by the schema that the endpoint has for this status. */
  readonly document?: OutcomeDocument;
}

export interface AnswerDescription {
  readonly description: string;
  /** Of the JSON:API document; without it the answer has no body. */
  readonly schema?: z.ZodType;
  /** Of a body that is no JSON:API document: its media type. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part of a request that is no JSON:API document: a form. */
export interface FormDescription {
  readonly description: string;
  readonly schema: z.ZodType;
}

interface EndpointBase {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `{name}` for what varies. */
  readonly path: string;
  /** The resource that `{id}` names. Text that cannot be an id is a 404, before the query and the body are read. */
  readonly idOf?: NamedKind;
  /** What varies in the path besides `{id}`; given as texts that may be anything. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  /** For generated clients. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: AccessRule;
  /** Its reads never wait for those of others: those of jobs, limits and the subscription. */
  readonly isUrgent?: boolean;
  readonly query: Omit<QueryDescription, 'includes'>;
  /** What `include` takes, each with what it needs beyond `access`: what the list of that kind needs. */
  readonly includes?: Readonly<Record<string, { readonly access: AccessRule }>>;
  /** Request headers that mean something here. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  /** A body that the endpoint reads by itself, as a stream. */
  readonly form?: FormDescription;
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Statuses of errors beyond 400, 401, 404 (where there is an id), 406, 429, 500 and 503. */
  readonly errors?: readonly number[];
}

/** One operation of the API: what it takes, what it answers, and who does it. */
export interface Endpoint extends EndpointBase {
  /** Of the JSON:API document in the request, for the description; `withBody` reads it. */
  readonly body?: z.ZodType;
  /** `undefined`: the handler has answered by itself. */
  readonly handle: (call: Call) => Promise<Outcome | undefined>;
}

export interface EndpointWithBody<Body> extends EndpointBase {
  readonly body: z.ZodType<Body>;
  readonly handle: (call: Call, body: Body) => Promise<Outcome | undefined>;
}

/** An endpoint that is given the document of the request, read by its schema. */
export function withBody<Body>(endpoint: EndpointWithBody<Body>): Endpoint {
  const { body, handle } = endpoint;
  return {
    ...endpoint,
    handle: async (call) => await handle(call, await readBody(call, body)),
  };
}
