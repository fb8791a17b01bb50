import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import { type Read, read } from '../read-result.ts';
import type { Brand, SignInPage } from '../snapshot.ts';
import { id, mapRead, oncePerId, text } from './fields.ts';

const brandSchema = z.object({ id, name: text });
const pageSchema = z.object({ pageContent: text });

/** The brands with their effective sign-in pages. */
export async function readBrands(api: ManagementApi): Promise<Read<readonly Brand[]>> {
  const brands = await api.list({
    path: '/api/v1/brands',
    query: { limit: '200' },
    scope: 'brands',
    isFeature: true,
    schema: brandSchema,
  });
  if (brands.kind === 'unread') return brands;
  return read(
    await Promise.all(
      oncePerId(brands.value).map(async (brand) => ({
        ...brand,
        signInPage: await readSignInPage(api, brand.id),
      })),
    ),
  );
}

/**
 * The customized page takes precedence over the default page. If only labels are customized, the customized page has no
 * content and the default page is used.
 */
async function readSignInPage(api: ManagementApi, brandId: string): Promise<Read<SignInPage>> {
  const customized = await readPage(api, brandId, 'customized');
  const isDefault =
    customized.kind === 'unread'
      ? customized.problem.cause === 'not_offered'
      : customized.value.content === null;
  return isDefault ? readPage(api, brandId, 'default') : customized;
}

async function readPage(
  api: ManagementApi,
  brandId: string,
  type: SignInPage['kind'],
): Promise<Read<SignInPage>> {
  const page = await api.object({
    path: `/api/v1/brands/${encodeURIComponent(brandId)}/pages/sign-in/${type}`,
    scope: 'brands',
    isFeature: true,
    schema: pageSchema,
  });
  return mapRead(page, ({ pageContent }) => ({ kind: type, content: pageContent }));
}
