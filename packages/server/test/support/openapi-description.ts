import assert from 'node:assert/strict';
import { z } from 'zod';
import { DOCUMENT_TYPE } from './client.ts';

const MEMBERS = z.record(z.string(), z.unknown());

const parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  description: z.string().optional(),
  required: z.boolean().default(false),
  schema: MEMBERS,
});
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: MEMBERS }).optional(),
  responses: MEMBERS,
});
const responseSchema = z.object({
  description: z.string(),
  headers: MEMBERS.default({}),
  content: z.record(z.string(), z.object({ example: z.unknown().optional() })).default({}),
});
const header = z.object({ required: z.boolean().default(false) });

export type Parameter = z.infer<typeof parameter>;

/** An operation of the served description. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path, with parameters as `{name}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Pointer to the schema of the JSON:API request document; `undefined` if the operation accepts no document. */
  readonly body: string | undefined;
  readonly responses: ReadonlyMap<number, DescribedResponse>;
}

interface DescribedResponse {
  /** The pointer to the schema and the example, by media type. */
  readonly content: ReadonlyMap<string, { readonly schema: string; readonly example: unknown }>;
  /** Whether a header is required, by lowercase name. */
  readonly headers: ReadonlyMap<string, boolean>;
}

/** Reads all operations of an OpenAPI 3.1 description. Fails if the structure of the description is invalid. */
export function readOperations(description: unknown): readonly Operation[] {
  const { paths } = z.object({ paths: z.record(z.string(), MEMBERS) }).parse(description);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { operationId: id, parameters, requestBody, responses } = operation.parse(described);
      const at = pointer('paths', path, method);
      const byStatus = Object.entries(responses).map(
        ([status, response]) =>
          [
            Number(status),
            readDescribedResponse(description, response, at + pointer('responses', status)),
          ] as const,
      );
      const takesDocument = requestBody !== undefined && DOCUMENT_TYPE in requestBody.content;
      const body = takesDocument
        ? at + pointer('requestBody', 'content', DOCUMENT_TYPE, 'schema')
        : undefined;
      return { id, method: method.toUpperCase(), path, parameters, body, responses: new Map(byStatus) };
    }),
  );
}

function readDescribedResponse(description: unknown, described: unknown, at: string): DescribedResponse {
  const place = referenceOf(described) ?? at;
  const { headers, content } = responseSchema.parse(resolve(description, described));
  return {
    content: new Map(
      Object.entries(content).map(([type, { example }]) => [
        type,
        { schema: place + pointer('content', type, 'schema'), example },
      ]),
    ),
    headers: new Map(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        header.parse(resolve(description, value)).required,
      ]),
    ),
  };
}

function referenceOf(value: unknown): string | undefined {
  const read = z.object({ $ref: z.string().startsWith('#') }).safeParse(value);
  return read.data?.$ref.slice(1);
}

function resolve(description: unknown, value: unknown): unknown {
  const reference = referenceOf(value);
  if (reference === undefined) return value;
  let at = description;
  for (const key of reference.split('/').slice(1)) {
    at = MEMBERS.parse(at)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    assert.notEqual(at, undefined, `${reference} leads nowhere`);
  }
  return at;
}

/** RFC 6901, section 3. */
function pointer(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
