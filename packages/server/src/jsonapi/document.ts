export const MEDIA_TYPE = 'application/vnd.api+json';
export const API_PREFIX = '/api/v1';

/** `meta.version` of every document. */
export const API_VERSION = 'v1';

export type Links = Readonly<Record<string, string | null>>;

export interface Document {
  readonly data?: unknown;
  readonly errors?: readonly Readonly<Record<string, unknown>>[];
  readonly links?: Links;
  readonly meta: Readonly<Record<string, unknown>>;
}
