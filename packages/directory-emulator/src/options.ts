import type { DpopMode } from './authorization/authorization-server.ts';
import type { ClientKey } from './authorization/client-key.ts';
import type { Fault } from './faults.ts';
import type { Organization } from './organization/organization.ts';
import type { OrganizationName } from './organization/read-organization.ts';
import type { ApiRequest, TokenRequest } from './request-log.ts';

/** The resources in the names of the ten read scopes that a scanner can be granted. */
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
/** Okta requires an eleventh scope, `okta.users.read`, to list a user's groups. */
export const OKTA_SCOPE_RESOURCES = [...SCOPE_RESOURCES, 'users'] as const;
export type ScopeResource = (typeof OKTA_SCOPE_RESOURCES)[number];

export type DialectName = 'directory' | 'okta';
export type AdminRole = 'read-only' | 'super-admin' | 'none';

export interface RateLimit {
  /** The number of requests per window. The management API returns 429 for any further request. */
  readonly requestsPerWindow: number;
  readonly windowSeconds: number;
}

export interface EmulatorOptions {
  readonly organization: Organization | OrganizationName;
  /** Default: 0, which selects any free port. */
  readonly port?: number;
  /** Admin role of the service app; default `super-admin`. */
  readonly role?: AdminRole;
  /** Full names of the service app's scopes, such as `directory.policies.read`. Default: all ten. */
  readonly grantedScopes?: readonly string[];
  /** Default `required`. */
  readonly dpop?: DpopMode;
  /**
   * Requires a server nonce in every proof (RFC 9449 section 8); default false. In an emulated Okta organization, the
   * token endpoint always requires a nonce and the management API never does.
   */
  readonly requireNonce?: boolean;
  /** Default 3600. */
  readonly tokenLifetimeSeconds?: number;
  /** Default: 1,000,000 requests per minute. In an emulated Okta organization, each endpoint has its own limit. */
  readonly rateLimit?: RateLimit;
  /**
   * Rate limits of individual endpoints, keyed by path, such as `/api/v1/apps`. Available only for emulated Okta
   * organizations.
   */
  readonly endpointRateLimits?: Readonly<Record<string, RateLimit>>;
  /** Disabled features, whose endpoints return 401. Available only for emulated Okta organizations. */
  readonly missingFeatures?: readonly ScopeResource[];
  /** Objects per page if the request has no `limit`; default 20. */
  readonly pageSize?: number;
  /** Default `directory`. */
  readonly dialect?: DialectName;
  /** The faults to inject. The array is not copied, so that faults can be added while the emulator is running. */
  readonly faults?: Fault[];
  /**
   * Origin for clients, used in the issuer, in links, and in the `htu` claim of proofs. Default: the listen address.
   */
  readonly publicUrl?: string;
  /** Private key and certificate as PEM. Default: the emulator serves HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** RSA private key of the service app (PEM, PKCS#8). Default: a newly generated key. */
  readonly clientKey?: string;
}

export interface Emulator extends ClientKey {
  /** The public URL, which is also the token issuer. Default: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The listen address: `http://127.0.0.1:PORT`, or `https://127.0.0.1:PORT` with TLS. */
  readonly address: string;
  readonly clientId: string;
  /** The live organization. Changes take effect immediately. */
  readonly organization: Organization;
  /** All requests to the management API, in order of arrival. */
  readonly requests: readonly ApiRequest[];
  readonly tokenRequests: readonly TokenRequest[];
  readonly faults: Fault[];
  /** Returns the environment variables that a scanner needs to scan this organization. */
  environment(): Record<string, string>;
  stop(): Promise<void>;
}

/** Returns the full name of a scope, such as `directory.policies.read`. */
export function scopeName(dialect: DialectName, resource: ScopeResource): string {
  return `${dialect}.${resource}.read`;
}

/** Returns the origin of a public URL. Throws a {@link TypeError} if the URL is not an origin. */
export function originOf(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.href !== `${url.origin}/`)
    throw new TypeError(`The public URL must be an origin such as https://acme.example, not '${publicUrl}'.`);
  return url.origin;
}
