import { notFound } from '../api-error.ts';
import type { Brand } from '../organization/organization.ts';
import { type EndpointRequest, findById, list, single } from './endpoint.ts';
import { oktaBrand, oktaSignInPage } from './okta/okta-resources.ts';

export const brandEndpoints = [
  list('/api/v1/brands', 'brands', ({ organization }) => organization.brands, serializeBrand),
  single('/api/v1/brands/:id', 'brands', (request) => serializeBrand(requireBrand(request), request)),
  single('/api/v1/brands/:id/pages/sign-in/customized', 'brands', (request) => {
    const { customized } = requireBrand(request).pages;
    if (customized === undefined) throw notFound(`${request.id} (SignInPage)`);
    return serializePage(customized, request);
  }),
  single('/api/v1/brands/:id/pages/sign-in/default', 'brands', (request) =>
    serializePage(requireBrand(request).pages.default, request),
  ),
];

function requireBrand(request: EndpointRequest): Brand {
  const brand = findById(request.organization.brands, request);
  if (brand === undefined) throw notFound(`${request.id} (Brand)`);
  return brand;
}

function serializeBrand(source: Brand, { dialect, url, organization }: EndpointRequest): object {
  if (dialect === 'okta') return oktaBrand(source, url, source === organization.brands[0]);
  const { pages, ...brand } = source;
  return brand;
}

function serializePage(pageContent: string | null, { dialect }: EndpointRequest): object {
  return dialect === 'okta' ? oktaSignInPage(pageContent) : { pageContent };
}
