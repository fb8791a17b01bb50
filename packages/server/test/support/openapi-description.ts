import assert from 'node:assert/strict';
import { z } from 'zod';
import { DOCUMENT_TYPE } from './client.ts';

const MEMBERS = z.record(z.string(), z.unknown());

const parameter = z.object({
  in: z.enum(['path', 'query', 'header']),
  name: z.string(),
  required: z.boolean().default(false),
  schema: MEMBERS,
});
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: MEMBERS }).optional(),
  responses: MEMBERS,
});
const response = z.object({
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
  /** With the `{name}`s of path parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Pointer to the schema of its JSON:API document; `undefined` if it accepts none. */
  readonly body: string | undefined;
  readonly answers: ReadonlyMap<number, DescribedAnswer>;
}

export interface DescribedAnswer {
  /** By media type: the pointer to the schema, and the example. */
  readonly content: ReadonlyMap<string, { readonly schema: string; readonly example: unknown }>;
  /** By name in lower case: whether it is required. */
  readonly headers: ReadonlyMap<string, boolean>;
}

/** Reads all operations of an OpenAPI 3.1 description. Fails if its structure is invalid. */
export function readOperations(description: unknown): readonly Operation[] {
  const { paths } = z.object({ paths: z.record(z.string(), MEMBERS) }).parse(description);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { operationId: id, parameters, requestBody, responses } = operation.parse(described);
      const at = pointer('paths', path, method);
      const answers = Object.entries(responses).map(
        ([status, answer]) =>
          [Number(status), readAnswer(description, answer, at + pointer('responses', status))] as const,
      );
      const takesDocument = requestBody !== undefined && DOCUMENT_TYPE in requestBody.content;
      const body = takesDocument
        ? at + pointer('requestBody', 'content', DOCUMENT_TYPE, 'schema')
        : undefined;
      return { id, method: method.toUpperCase(), path, parameters, body, answers: new Map(answers) };
    }),
  );
}

function readAnswer(description: unknown, described: unknown, at: string): DescribedAnswer {
  const place = referenceOf(described) ?? at;
  const { headers, content } = response.parse(resolve(description, described));
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
