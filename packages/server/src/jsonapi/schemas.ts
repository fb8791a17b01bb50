import { z } from 'zod';
import 'zod-openapi';
import { API_VERSION } from './document.ts';
import { LIST_MAX_BYTES, LIST_TEXT_MAX } from './truncate-texts.ts';

/** ISO 8601 with microseconds and `Z`, as every time in this API. */
export const timestamp = z.iso.datetime({ precision: 6 }).meta({ description: 'UTC, with microseconds' });

export const link = z.url().nullable();

/** `meta.truncated` of a resource. */
const truncated = z
  .array(z.string())
  .optional()
  .meta({
    description: `In lists: attributes that were shortened to ${LIST_TEXT_MAX} characters or fewer; the resource by itself has all of them`,
  });

/** A kind of resource. */
export interface ResourceDescription {
  readonly type: string;
  /** What `fields[type]` takes. */
  readonly attributes: readonly string[];
  /** As it stands in documents. */
  readonly schema: z.ZodType;
}

export interface ResourceOptions {
  readonly type: string;
  /** What it is, in one sentence. */
  readonly description: string;
  /** Of its id; a UUID where nothing else is said. */
  readonly id?: z.ZodType<string>;
  readonly attributes: z.ZodRawShape;
  /** Names of related resources, and their types. */
  readonly relationships?: Readonly<Record<string, string>>;
  /** The same where there can be several of each. */
  readonly toMany?: Readonly<Record<string, string>>;
  /** Related lists that are only linked to. */
  readonly links?: readonly string[];
  readonly meta?: z.ZodRawShape;
}

/**
 * Describes a kind of resource. Answers are serialised and the OpenAPI description is made by the schema that comes of
 * it.
 */
export function describeResource(options: ResourceOptions): ResourceDescription {
  const { type, description, id = z.uuid(), relationships = {}, toMany = {}, links = [] } = options;
  const names = Object.keys(options.attributes);
  const attributes = z
    .strictObject(options.attributes)
    .partial()
    .meta({
      id: `${pascal(type)}Attributes`,
      description: `All of them, or those that fields[${type}] names`,
    });
  const related = [
    ...Object.entries(relationships).map(([name, relatedType]) => [name, relationTo(relatedType)]),
    ...Object.entries(toMany).map(([name, relatedType]) => [name, relationToMany(relatedType)]),
  ];
  const linked = links.map((name) => [name, z.strictObject({ links: z.strictObject({ related: z.url() }) })]);
  const hasRelations = related.length + linked.length > 0;
  const schema = z
    .strictObject({
      type: z.literal(type),
      id,
      attributes,
      ...(hasRelations && {
        relationships: z.strictObject(Object.fromEntries([...related, ...linked])),
      }),
      links: z.strictObject({ self: z.url() }).optional(),
      meta:
        options.meta === undefined
          ? z.strictObject({ truncated }).optional()
          : z.strictObject({ ...options.meta, truncated }),
    })
    .meta({ id: pascal(type), description });
  return { type, attributes: names, schema };
}

/** `data` of a related resource, or null where there is none (JSON:API 1.1, "Resource Linkage"). */
function relationTo(type: string) {
  return z.strictObject({
    data: identifierOf(type).nullable(),
    links: z.strictObject({ related: z.url() }).optional(),
  });
}

/** `data` of all related resources, an empty array where there are none. */
function relationToMany(type: string) {
  return z.strictObject({ data: z.array(identifierOf(type)) });
}

/** JSON:API 1.1, "Resource Identifier Objects". */
function identifierOf(type: string) {
  return z.strictObject({ type: z.literal(type), id: z.string() });
}

/** `meta.version` of every document. */
export const version = z.literal(API_VERSION).meta({ description: 'Version of the API' });

const pagination = z
  .strictObject({
    page: z.int().min(1),
    pages: z.int().min(1),
    count: z.int().min(0).meta({ description: 'Resources on all pages' }),
  })
  .meta({ id: 'Pagination', description: 'Not there where page[after] was used' });

const textMaxLength = z
  .int()
  .min(0)
  .meta({
    description: `Where the response would have more than ${LIST_MAX_BYTES} bytes: the length that texts were shortened to`,
  });

const pageLinks = z
  .strictObject({ self: z.url(), first: z.url(), prev: link, next: link, last: link })
  .meta({ id: 'PageLinks', description: 'null where there is no such page' });

/** A document with one resource. */
export function documentOf(
  resource: ResourceDescription,
  {
    included = [],
    meta = {},
  }: { readonly included?: readonly ResourceDescription[]; readonly meta?: z.ZodRawShape } = {},
): z.ZodType {
  return z.strictObject({
    data: resource.schema,
    ...includedOf(included),
    meta: z.strictObject({ version, ...meta }),
  });
}

/** A document with a page of resources. */
export function listOf(
  resource: ResourceDescription,
  {
    included = [],
    meta = {},
  }: { readonly included?: readonly ResourceDescription[]; readonly meta?: z.ZodRawShape } = {},
): z.ZodType {
  return z.strictObject({
    data: z.array(resource.schema),
    ...includedOf(included),
    links: pageLinks,
    meta: z.strictObject({
      version,
      pagination: pagination.optional(),
      text_max_length: textMaxLength.optional(),
      ...meta,
    }),
  });
}

function includedOf(resources: readonly ResourceDescription[]) {
  const [first, ...others] = resources.map(({ schema }) => schema);
  if (first === undefined) return {};
  return { included: z.array(z.union([first, ...others])).optional() };
}

/** `ingestion-errors` is `IngestionError`, in the singular as a type's name is. */
function pascal(type: string): string {
  const words = type.replace(/ies$/, 'y').replace(/s$/, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
