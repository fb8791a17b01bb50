import type { Brand } from '../organization/organization.ts';
import { notFound } from './api-error.ts';
import { list, named, type Reading, single } from './endpoint.ts';
import { oktaBrand, oktaSignInPage } from './okta/okta-resources.ts';

export const brandEndpoints = [
  list('/api/v1/brands', 'brands', ({ organization }) => organization.brands, showBrand),
  single('/api/v1/brands/:id', 'brands', (reading) => showBrand(theBrand(reading), reading)),
  single('/api/v1/brands/:id/pages/sign-in/customized', 'brands', (reading) => {
    const { customized } = theBrand(reading).pages;
    if (customized === undefined) throw notFound(`${reading.id} (SignInPage)`);
    return showPage(customized, reading);
  }),
  single('/api/v1/brands/:id/pages/sign-in/default', 'brands', (reading) =>
    showPage(theBrand(reading).pages.default, reading),
  ),
];

function theBrand(reading: Reading): Brand {
  const brand = named(reading.organization.brands, reading);
  if (brand === undefined) throw notFound(`${reading.id} (Brand)`);
  return brand;
}

function showBrand(shown: Brand, { dialect, url, organization }: Reading): object {
  if (dialect === 'okta') return oktaBrand(shown, url, shown === organization.brands[0]);
  const { pages, ...brand } = shown;
  return brand;
}

function showPage(pageContent: string | null, { dialect }: Reading): object {
  return dialect === 'okta' ? oktaSignInPage(pageContent) : { pageContent };
}
