import assert from 'node:assert/strict';
import type { ApiResponse } from './client.ts';
import { createClient } from './client.ts';
import type { TenantService } from './service.ts';

/** Returns the page and all pages reached by following links with this name, in order. */
export async function walkPages<Data>(
  service: Pick<TenantService, 'url' | 'key'>,
  page: ApiResponse<Data[]>,
  name: 'next' | 'prev',
): Promise<ApiResponse<Data[]>[]> {
  const base = `${service.url}/api/v1`;
  const client = createClient(service.url, service.key);
  const pages = [page];
  const followed = new Set<string>();
  for (let link = page.body.links[name]; link != null; ) {
    assert.equal(link.slice(0, base.length), base);
    assert.ok(!followed.has(link), `the pages repeat at ${link}`);
    followed.add(link);
    const response = await client.get<Data[]>(link.slice(base.length));
    assert.equal(response.status, 200, link);
    pages.push(response);
    link = response.body.links[name];
  }
  return pages;
}
