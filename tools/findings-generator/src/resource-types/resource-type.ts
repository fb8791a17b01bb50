import type { Random } from '../random.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** An account as it appears in records. */
export interface Account {
  uid: string;
  name: string;
  /** The value of `unmapped.provider_uid`: the account uid, or the context for Kubernetes. */
  providerUid: string;
  /** The value of `metadata.tenant_uid`, if the provider has tenants. */
  tenantUid?: string;
  org: JsonObject;
}

export interface Tag {
  key: string;
  value: string;
}

/** The input from which the uid and the metadata of a resource are built. */
export interface Placement {
  account: Account;
  region: string;
  name: string;
  /** Sixteen hexadecimal digits; the first eight are unique among the resources of a type in the account. */
  id: string;
}

/** A resource type of a provider. Its metadata has no attributes that a check evaluates. */
export interface ResourceType {
  type: string;
  /** The type as a word, capitalized to begin a sentence: "S3 bucket". */
  noun: string;
  /** The region that is reported for a global service. */
  region?: string;
  /** Builds the name. The id makes the name unique within the account. */
  name(baseName: string, id: string): string;
  uid(at: Placement): string;
  metadata(at: Placement, tags: readonly Tag[], random: Random): JsonObject;
}
