export const MEDIA_TYPE = 'application/vnd.api+json';
export const API_PREFIX = '/api/v1';

/** `meta.version` of every document. */
export const API_VERSION = 'v1';

export type Links = Readonly<Record<string, string | null>>;

export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly links: Links }>>;
  readonly links?: Links;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface Document {
  readonly data?: Resource | readonly Resource[];
  readonly errors?: readonly Readonly<Record<string, unknown>>[];
  readonly links?: Links;
  readonly meta: Readonly<Record<string, unknown>>;
}

export function document(
  data: Resource | readonly Resource[],
  options: { readonly links?: Links; readonly meta?: Readonly<Record<string, unknown>> } = {},
): Document {
  return {
    data,
    ...(options.links && { links: options.links }),
    meta: { version: API_VERSION, ...options.meta },
  };
}
