import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import { createClient } from './client.ts';
import type { TenantService } from './service.ts';

/** Returns the page and all pages reached by its links with this name, in order. */
export async function walkPages<Data>(
  service: Pick<TenantService, 'url' | 'key'>,
  page: Answer<Data[]>,
  name: 'next' | 'prev',
): Promise<Answer<Data[]>[]> {
  const base = `${service.url}/api/v1`;
  const client = createClient(service.url, service.key);
  const pages = [page];
  for (let link = page.body.links[name]; link != null; ) {
    assert.equal(link.slice(0, base.length), base);
    const answer = await client.get<Data[]>(link.slice(base.length));
    assert.equal(answer.status, 200, link);
    pages.push(answer);
    link = answer.body.links[name];
  }
  return pages;
}
