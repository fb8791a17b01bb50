import type { NonEmpty, Random } from '../random.ts';

/** The providers that files can be generated for. */
export const PROVIDER_NAMES = ['aws', 'azure', 'gcp', 'kubernetes', 'okta'] as const;

export type ProviderName = (typeof PROVIDER_NAMES)[number];

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** An account as the records name it. */
export interface Account {
  uid: string;
  name: string;
  /** The `unmapped.provider_uid`: the account uid, but for kubernetes, which names its context. */
  providerUid: string;
  /** `metadata.tenant_uid`, where the provider has one. */
  tenantUid?: string;
  org: JsonObject;
}

export interface Tag {
  key: string;
  value: string;
}

/** What is known of a resource when its uid and its metadata are made. */
export interface Placement {
  account: Account;
  region: string;
  name: string;
  /** Sixteen hexadecimal digits; the first eight are unique within the account. */
  id: string;
}

/** One kind of resource of a provider. */
export interface ResourceKind {
  type: string;
  /** The kind in a sentence, capitalised: "Bucket". */
  noun: string;
  /** What the name is made of; the id keeps names of one account distinct. */
  name(words: string, id: string): string;
  uid(at: Placement): string;
  metadata(at: Placement, tags: readonly Tag[], random: Random): JsonObject;
}

/** What differs between providers in a record. */
export interface Provider {
  accountType: string;
  accountTypeId: number;
  partition?: string;
  regions: NonEmpty<string>;
  kinds: NonEmpty<ResourceKind>;
  account(ordinal: number): Account;
}
