import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import type { Read } from '../read-result.ts';
import type { Zone } from '../snapshot.ts';
import { compareTexts, id, mapRead, oncePerId, part, text, texts } from './fields.ts';

const categoryList = z.union([z.string().transform((category) => [category]), texts]);

/**
 * The API returns categories as an object or as a list. In an object, a single category can be a string instead of a
 * list.
 */
const categories = z.union([
  z
    .array(z.unknown())
    .pipe(texts)
    .transform((include) => ({ include, exclude: [] })),
  part({ include: categoryList, exclude: categoryList }),
]);

const zoneSchema = z
  .object({
    id,
    name: text,
    status: text,
    type: text,
    usage: text,
    system: z.boolean().catch(false),
    gateways: texts,
    proxies: texts,
    proxyType: text,
    ipServiceCategories: categories,
  })
  .transform(
    ({ name, ipServiceCategories, ...zone }): Zone => ({
      ...zone,
      name: name ?? zone.id,
      categories: ipServiceCategories.include,
      excludedCategories: ipServiceCategories.exclude,
    }),
  );

/** All network zones, regardless of their status, sorted by name. */
export async function readZones(api: ManagementApi): Promise<Read<readonly Zone[]>> {
  const zones = await api.list({
    path: '/api/v1/zones',
    query: { limit: '200' },
    scope: 'networkZones',
    isFeature: true,
    schema: zoneSchema,
  });
  return mapRead(zones, (list) =>
    oncePerId(list).sort((a, b) => compareTexts(a.name, b.name) || compareTexts(a.id, b.id)),
  );
}
