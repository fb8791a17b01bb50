import { z } from 'zod';
import type { ManagementApi } from '../management-api.ts';
import { type Read, read } from '../read.ts';
import type { Brand, SignInPage } from '../snapshot.ts';
import { id, text } from './fields.ts';
import { mapRead, oncePerId } from './order.ts';

const brandSchema = z.object({ id, name: text });
const pageSchema = z.object({ pageContent: text });

/** The brands, each with the sign-in page that its users see. */
export async function readBrands(api: ManagementApi): Promise<Read<readonly Brand[]>> {
  const brands = await api.list({
    path: '/api/v1/brands',
    query: { limit: '200' },
    scope: 'brands',
    whole: true,
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
 * The customized page goes before the default one, which users see where there is no customized one, and where only labels
 * are customized: then the customized one has no content.
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
  kind: SignInPage['kind'],
): Promise<Read<SignInPage>> {
  const page = await api.object({
    path: `/api/v1/brands/${encodeURIComponent(brandId)}/pages/sign-in/${kind}`,
    scope: 'brands',
    whole: true,
    schema: pageSchema,
  });
  return mapRead(page, ({ pageContent }) => ({ kind, content: pageContent }));
}
