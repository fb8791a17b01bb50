import type { Brand } from '../organization/organization.ts';
import { notFound } from './api-error.ts';
import { list, named, type Reading, single } from './endpoint.ts';

export const brandEndpoints = [
  list('/api/v1/brands', 'brands', ({ organization }) => organization.brands, showBrand),
  single('/api/v1/brands/:id', 'brands', (reading) => showBrand(theBrand(reading))),
  single('/api/v1/brands/:id/pages/sign-in/customized', 'brands', (reading) => {
    const { customized } = theBrand(reading).pages;
    if (customized === undefined) throw notFound(`${reading.id} (SignInPage)`);
    return { pageContent: customized };
  }),
  single('/api/v1/brands/:id/pages/sign-in/default', 'brands', (reading) => ({
    pageContent: theBrand(reading).pages.default,
  })),
];

function theBrand(reading: Reading): Brand {
  const brand = named(reading.organization.brands, reading);
  if (brand === undefined) throw notFound(`${reading.id} (Brand)`);
  return brand;
}

function showBrand({ pages, ...brand }: Brand): object {
  return brand;
}
