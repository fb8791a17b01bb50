import { z } from 'zod';
import 'zod-openapi';
import { API_VERSION } from './document.ts';
import { LIST_MAX_BYTES, LIST_TEXT_MAX } from './truncate-texts.ts';

/** The format of every timestamp in this API: ISO 8601 in UTC with microseconds and `Z`. */
export const timestamp = z.iso
  .datetime({ precision: 6 })
  .meta({ description: 'Timestamp in UTC with microseconds.' });

/** `meta.version` of every document. */
export const version = z.literal(API_VERSION).meta({ description: 'Version of the API.' });

/** Control characters and line separators. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029';

/**
 * A pattern for a single line with at least one visible character and no control characters. Uses only syntax that
 * client generators for all languages support: no Unicode properties, no lookahead, no four-digit escapes. `invisible`
 * lists additional invisible characters, `around` is a pattern allowed before and after the line, and `forbidden` lists
 * further characters to reject.
 */
export function linePattern(invisible = '', around = '', forbidden = ''): string {
  const any = `[^${CONTROL}${forbidden}]*`;
  return `^${around}${any}[^\\s${CONTROL}${forbidden}${invisible}]${any}${around}$`;
}

const MAX_CHARACTERS = 100;
const LINE = linePattern();
const line = new RegExp(LINE, 'u');

/** The name of a role, a key or a provider: 1 to 100 characters. */
export function shortText() {
  const message = `Use 1 to ${MAX_CHARACTERS} characters, at least one of them visible, without control characters.`;
  return z
    .string()
    .refine((text) => line.test(text) && text.isWellFormed() && [...text].length <= MAX_CHARACTERS, message)
    .meta({ pattern: LINE, minLength: 1, maxLength: MAX_CHARACTERS });
}

/** Description of a resource type. */
export interface ResourceDescription {
  readonly type: string;
  /** The attribute names that `fields[type]` accepts. */
  readonly attributes: readonly string[];
  /** Schema of the resource object. */
  readonly schema: z.ZodType;
}

export interface ResourceOptions {
  readonly type: string;
  /** One sentence that defines the resource. */
  readonly description: string;
  /** Schema of the id. Defaults to a UUID. */
  readonly id?: z.ZodType<string>;
  readonly attributes: z.ZodRawShape;
  /** To-one relationships and their related types. */
  readonly relationships?: Readonly<Record<string, string>>;
  /** To-many relationships and their related types. */
  readonly toMany?: Readonly<Record<string, string>>;
  /** Relationships that only have a link to a list. */
  readonly links?: readonly string[];
  /** Like `links`, but the link is null if there is no such list. */
  readonly nullableLinks?: readonly string[];
  /** Links of the resource to lists, in addition to `self`. */
  readonly ownLinks?: readonly string[];
  readonly meta?: z.ZodRawShape;
}

/** `meta.truncated` of a resource. */
const truncated = z
  .array(z.string())
  .optional()
  .meta({
    description: `Attributes that were truncated to at most ${LIST_TEXT_MAX.toLocaleString('en')} characters in this response. Get the resource by its ID for the full text.`,
  });

const nullableUrl = z.url().nullable().meta({ description: '`null` if there is no such list.' });

/**
 * Describes a resource type. Its schema is the source of the OpenAPI description, and validates responses outside of
 * production.
 */
export function describeResource(options: ResourceOptions): ResourceDescription {
  const { type, description, id = z.uuid(), relationships = {}, toMany = {} } = options;
  const { links = [], nullableLinks = [], ownLinks = [] } = options;
  const names = Object.keys(options.attributes);
  const attributes = z
    .strictObject(options.attributes)
    .partial()
    .meta({
      id: `${pascal(type)}Attributes`,
      description: attributesOf(type),
    });
  const related = [
    ...Object.entries(relationships).map(([name, relatedType]) => [name, relationTo(relatedType)]),
    ...Object.entries(toMany).map(([name, relatedType]) => [name, relationToMany(relatedType)]),
  ];
  const linked = [
    ...links.map((name) => [name, linkTo(z.url())]),
    ...nullableLinks.map((name) => [name, linkTo(nullableUrl)]),
  ];
  const hasRelations = related.length + linked.length > 0;
  const schema = z
    .strictObject({
      type: z.literal(type),
      id,
      attributes,
      ...(hasRelations && {
        relationships: z.strictObject(Object.fromEntries([...related, ...linked])),
      }),
      links:
        ownLinks.length === 0
          ? z.strictObject({ self: z.url() }).optional()
          : z.strictObject(Object.fromEntries(['self', ...ownLinks].map((name) => [name, z.url()]))),
      meta:
        options.meta === undefined
          ? z.strictObject({ truncated }).optional()
          : z.strictObject({ ...options.meta, truncated }),
    })
    .meta({ id: pascal(type), description });
  return { type, attributes: names, schema };
}

/** Describes a resource type whose single resources have additional attributes, such as `FindingWithRecord`. */
export function withAttributes(
  { type, attributes, schema }: ResourceDescription,
  id: string,
  description: string,
  additional: z.ZodRawShape,
): ResourceDescription {
  const described = schema instanceof z.ZodObject ? schema.shape.attributes : undefined;
  if (!(schema instanceof z.ZodObject) || !(described instanceof z.ZodObject))
    throw new TypeError('a resource schema must be an object with attributes');
  const all = described
    .extend(z.strictObject(additional).partial().shape)
    .meta({ id: `${id}Attributes`, description: attributesOf(type) });
  return {
    type,
    attributes: [...attributes, ...Object.keys(additional)],
    schema: schema.extend({ attributes: all }).meta({ id, description }),
  };
}

function attributesOf(type: string): string {
  return `All attributes, or those selected by \`fields[${type}]\`.`;
}

/** A to-one relationship. `data` is null if there is no related resource (JSON:API 1.1, "Resource Linkage"). */
function relationTo(type: string) {
  return z.strictObject({
    data: identifierOf(type).nullable(),
    links: z.strictObject({ related: z.url() }).optional(),
  });
}

/** A to-many relationship. `data` is an empty array if there are no related resources. */
function relationToMany(type: string) {
  return z.strictObject({ data: z.array(identifierOf(type)) });
}

function linkTo(related: z.ZodType) {
  return z.strictObject({ links: z.strictObject({ related }) });
}

/** JSON:API 1.1, "Resource Identifier Objects". */
function identifierOf(type: string) {
  return z.strictObject({ type: z.literal(type), id: z.string() });
}

const pagination = z
  .strictObject({
    page: z.int().min(1).meta({ description: 'Number of the current page.' }),
    pages: z.int().min(1).meta({ description: 'Total number of pages.' }),
    count: z.int().min(0).meta({ description: 'Total number of resources.' }),
  })
  .meta({ id: 'Pagination', description: 'Absent if the request uses `page[after]` or `page[position]`.' });

const textMaxLength = z
  .int()
  .min(0)
  .meta({
    description: `Maximum length of strings in this response, in characters. Present only if the response would otherwise have exceeded ${LIST_MAX_BYTES.toLocaleString('en')} bytes.`,
  });

const link = z.url().nullable();
const pageLinks = z
  .strictObject({ self: z.url(), first: z.url(), prev: link, next: link, last: link })
  .meta({ id: 'PageLinks', description: 'Links to other pages. `null` if there is no such page.' });

interface DocumentOptions {
  /** The resource types that `included` may contain. */
  readonly included?: readonly ResourceDescription[];
  /** Additional members of `meta`. */
  readonly meta?: z.ZodRawShape;
}

/** Schema of a document with one resource. */
export function documentOf(
  resource: ResourceDescription,
  { included = [], meta = {} }: DocumentOptions = {},
): z.ZodType {
  return z.strictObject({
    data: resource.schema,
    ...includedOf(included),
    meta: z.strictObject({ version, ...meta }),
  });
}

/** Schema of a document with a page of resources. */
export function listOf(
  resource: ResourceDescription,
  { included = [], meta = {} }: DocumentOptions = {},
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

/** Converts a type to the singular in Pascal case, for example `ingestion-errors` to `IngestionError`. */
function pascal(type: string): string {
  const words = type.replace(/ies$/, 'y').replace(/s$/, '').split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
