import type { ClientKey } from './authorization/client-key.ts';
import type { Fault } from './faults.ts';
import type { Organization } from './organization/organization.ts';
import type { OrganizationName } from './organization/read-organization.ts';
import type { ApiRequest, TokenRequest } from './request-log.ts';

/** The ten reads that a scanner may be granted. */
export const SCOPE_RESOURCES = [
  'policies',
  'brands',
  'apps',
  'authenticators',
  'networkZones',
  'apiTokens',
  'roles',
  'groups',
  'logStreams',
  'idps',
] as const;
/** `users` opens the groups of a user in the dialect `okta`; a service app has it only where `grantedScopes` names it. */
export type ScopeResource = (typeof SCOPE_RESOURCES)[number] | 'users';

export type DialectName = 'directory' | 'okta';
export type AdminRole = 'read-only' | 'super-admin' | 'none';

/** `off`: proofs are ignored and tokens are of type Bearer. */
export type DpopMode = 'required' | 'optional' | 'off';

export interface RateLimit {
  /** Management API requests until 429. */
  readonly requestsPerWindow: number;
  readonly windowSeconds: number;
}

export interface EmulatorOptions {
  readonly organization: Organization | OrganizationName;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Admin role of the service app; default `super-admin`. */
  readonly role?: AdminRole;
  /** Scopes of the service app, in full: `directory.policies.read`; default all ten. */
  readonly grantedScopes?: readonly string[];
  /** Default `required`. */
  readonly dpop?: DpopMode;
  /** Every proof must carry a nonce of the server (RFC 9449 section 8); default false. */
  readonly requireNonce?: boolean;
  /** Default 3600. */
  readonly tokenLifetimeSeconds?: number;
  /** Default: announced as 1,000,000 requests per minute. */
  readonly rateLimit?: RateLimit;
  /** Objects per page when the request does not say `limit`; default 20. */
  readonly pageSize?: number;
  /** Default `directory`. */
  readonly dialect?: DialectName;
  /** Taken as it is, not copied: change it while the emulator runs. */
  readonly faults?: Fault[];
  /** RSA private key of the service app, PEM in PKCS#8; default a new one. */
  readonly clientKey?: string;
}

export interface Emulator extends ClientKey {
  /** `http://127.0.0.1:PORT`, also the issuer of its tokens. */
  readonly url: string;
  readonly clientId: string;
  /** The live object: what changes here changes in the answers. */
  readonly organization: Organization;
  /** Every request to the management API in the order of their answers. */
  readonly requests: readonly ApiRequest[];
  readonly tokenRequests: readonly TokenRequest[];
  readonly faults: Fault[];
  /** What to set for a scanner of this organization. */
  environment(): Record<string, string>;
  stop(): Promise<void>;
}

/** The scope in the words of a dialect: `directory.policies.read`. */
export function scopeName(dialect: DialectName, resource: ScopeResource): string {
  return `${dialect}.${resource}.read`;
}
