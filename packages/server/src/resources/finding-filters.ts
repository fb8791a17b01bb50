import { z } from 'zod';
import { hasKeyIn } from '../db/opaque-condition.ts';
import {
  type Condition,
  equalityFilters,
  type Filters,
  hasNullableText,
  nullableFilters,
  valueFilters,
  withCountsSql,
} from '../jsonapi/filters.ts';
import { ofProviderFilters } from './provider-filters.ts';

// Filters for findings and their stored counts, on the dimensions of these counts.

/** `filter[provider]`, `filter[provider_type]` and `filter[account]` */
export const findingProviderFilters: Filters = {
  ...withCountsSql(equalityFilters('provider', 'findings.provider_id', z.uuid(), 'uuid'), ['provider']),
  ...ofProviderFilters('findings'),
};

/** `filter[check_id]` */
export const checkIdFilters: Filters = withCountsSql(valueFilters('check_id', z.string(), hasCheckId), [
  'check',
]);

type FacetName = 'service' | 'region' | 'resource_type' | 'product';

/** A filter on an attribute of facets, such as `filter[service]`. */
export function facetFilters(name: FacetName): Filters {
  return withCountsSql(
    nullableFilters(name, (values) => hasFacet(name, values)),
    ['facet'],
  );
}

function hasCheckId(ids: readonly string[]): Condition {
  return {
    sql: (bind, tenant) =>
      `findings.check_key = any(array(select checks.key from checks
         where checks.tenant_id = ${tenant} and checks.check_id = any(${bind(ids)}::text[])))`,
    previousSql: (bind) => `findings.check_id = any(${bind(ids)}::text[])`,
  };
}

function hasFacet(column: FacetName, values: readonly string[]): Condition {
  return {
    sql: (bind, tenant) =>
      hasKeyIn(
        'findings.facet_key',
        `select finding_facets.key from finding_facets
         where finding_facets.tenant_id = ${tenant} and coalesce(finding_facets.${column}, '') = any(${bind(values)}::text[])`,
      ),
    // The previous release did not store the product.
    previousSql:
      column === 'product'
        ? () => String(values.includes(''))
        : hasNullableText(`findings.${column}`, values),
  };
}
