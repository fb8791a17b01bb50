import type { FastifyRequest } from 'fastify';
import { cursorLinks, type PagePosition, pageLinks, paginationMeta } from './page.ts';
import type { Query } from './query.ts';
import { truncateTexts } from './truncate-texts.ts';

export interface ListResponseOptions {
  readonly data: readonly object[];
  /** Related resources, if the request includes any. */
  readonly included?: readonly object[] | undefined;
  readonly page: PagePosition;
  readonly query: Query;
  readonly request: FastifyRequest;
  readonly publicUrl: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The 200 response of a list: truncated strings, pagination links and, for numbered pages, the total count. */
export function listResponse({
  data,
  included,
  page,
  query,
  request,
  publicUrl,
  meta = {},
}: ListResponseOptions) {
  const links =
    page.count === undefined
      ? cursorLinks(publicUrl, request.url, query, page.next)
      : pageLinks(publicUrl, request.url, query.page, page.count);
  const pagination = page.count === undefined ? {} : { pagination: paginationMeta(query.page, page.count) };
  const { textMax, ...truncated } = truncateTexts(data, included);
  return {
    status: 200,
    document: {
      ...truncated,
      links,
      meta: { ...pagination, ...(textMax !== undefined && { text_max_length: textMax }), ...meta },
    },
  };
}
