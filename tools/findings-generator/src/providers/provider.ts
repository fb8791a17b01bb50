import type { Catalog } from '../controls/control.ts';
import type { NonEmpty } from '../random.ts';
import type { Account } from '../resource-types/resource-type.ts';

export const PROVIDER_NAMES = ['aws', 'azure', 'gcp', 'kubernetes', 'okta'] as const;

export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** The provider-specific parts of a record. */
export interface Provider {
  accountType: string;
  accountTypeId: number;
  partition?: string;
  regions: NonEmpty<string>;
  catalog: Catalog;
  account(ordinal: number): Account;
}
