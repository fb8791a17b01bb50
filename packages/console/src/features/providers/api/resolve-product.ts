import { type Api, readDocument } from '../../../lib/api/api.ts';

export interface Resolution {
  /** The name of the product. */
  readonly product: string;
  /** The number of findings that are resolved in the background. */
  readonly findings: number;
}

/** Resolves all open findings of a provider that a product reported. Throws a `RequestError`. */
export async function resolveProduct(api: Api, providerId: string, product: string): Promise<Resolution> {
  const body = { data: { type: 'providers' as const, id: providerId, attributes: { product } } };
  const { meta } = await readDocument(
    api.POST('/api/v1/providers/{id}/resolve', { params: { path: { id: providerId } }, body }),
  );
  return { product, findings: meta.findings };
}
