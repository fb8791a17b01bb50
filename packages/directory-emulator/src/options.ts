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
/** The groups of a user are read with `okta.users.read`, which is not among the ten. */
export const OKTA_SCOPE_RESOURCES = [...SCOPE_RESOURCES, 'users'] as const;
export type ScopeResource = (typeof OKTA_SCOPE_RESOURCES)[number];

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
  /**
   * Every proof must carry a nonce of the server (RFC 9449 section 8); default false. In the dialect `okta` the token
   * endpoint always requires one, and the management API never does.
   */
  readonly requireNonce?: boolean;
  /** Default 3600. */
  readonly tokenLifetimeSeconds?: number;
  /** Default: announced as 1,000,000 requests per minute. In the dialect `okta` it applies to each endpoint alone. */
  readonly rateLimit?: RateLimit;
  /** Limits of single endpoints by their path, such as `/api/v1/apps`; in the dialect `okta` only. */
  readonly endpointRateLimits?: Readonly<Record<string, RateLimit>>;
  /** Features that the organization does not have: their endpoints respond with 401; in the dialect `okta` only. */
  readonly missingFeatures?: readonly ScopeResource[];
  /** Objects per page when the request does not say `limit`; default 20. */
  readonly pageSize?: number;
  /** Default `directory`. */
  readonly dialect?: DialectName;
  /** Taken as it is, not copied: change it while the emulator runs. */
  readonly faults?: Fault[];
  /** The origin that clients use: issuer, links and the `htu` of proofs name it. Default: where the emulator listens. */
  readonly publicUrl?: string;
  /** PEM. Default: HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** RSA private key of the service app, PEM in PKCS#8; default a new one. */
  readonly clientKey?: string;
}

export interface Emulator extends ClientKey {
  /** The public URL, by default `http://127.0.0.1:PORT`; also the issuer of its tokens. */
  readonly url: string;
  /** Where it listens: `http://127.0.0.1:PORT`, or `https:` with TLS. */
  readonly address: string;
  readonly clientId: string;
  /** The live object: changes here take effect in the responses. */
  readonly organization: Organization;
  /** Every request to the management API in the order of the responses. */
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
