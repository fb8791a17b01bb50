import { ScannerError } from '../scanner-error.ts';
import type { Dialect } from './dialect.ts';

/** Which organization is read, and where its API is. */
export interface OrgAddress {
  /** The account id of the findings. */
  readonly orgDomain: string;
  /** Scheme, host and port: `https://example.directory.com`. */
  readonly origin: string;
}

const LABEL = /^[a-z0-9][a-z0-9-]*$/;

/**
 * Checks the domain of the organization, or the full origin that replaces it (a custom domain, an emulator).
 * With both, requests go to the origin and findings carry the domain.
 */
export function readOrgAddress({
  domain,
  url,
  dialect,
}: {
  readonly domain: string | undefined;
  readonly url: string | undefined;
  readonly dialect: Dialect;
}): OrgAddress {
  const orgDomain = domain === undefined ? undefined : readDomain(domain, dialect);
  const origin = url === undefined ? undefined : readOrigin(url, dialect);
  if (origin !== undefined) return { orgDomain: orgDomain ?? origin.host, origin: origin.origin };
  if (orgDomain !== undefined) return { orgDomain, origin: `https://${orgDomain}` };
  throw new ScannerError('missing_settings', 'Set DIRECTORY_ORG_DOMAIN to scan a directory.');
}

/** True for the hosts with which plain HTTP stays on this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function readDomain(value: string, dialect: Dialect): string {
  const domain = value.toLowerCase();
  refuseAdminHost(domain, dialect);
  const label = subdomain(domain, dialect);
  if (label !== undefined && LABEL.test(label)) return domain;
  throw new ScannerError(
    'invalid_org_domain',
    `'${value}' is not the domain of an organization: give the host name alone, one label before ${dialect.domainSuffixes.join(', ')}, as in example.${dialect.domainSuffixes[0]}, or an origin in DIRECTORY_ORG_URL.`,
  );
}

function readOrigin(value: string, dialect: Dialect): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  // Compared without the last slash, which makes no difference in an origin; a path or a password would.
  if (url === undefined || !allowed || url.href.replace(/\/$/, '') !== url.origin)
    throw new ScannerError(
      'invalid_org_domain',
      'DIRECTORY_ORG_URL must be an origin without a path, as in https://login.example.com, and plain http only for this machine.',
    );
  refuseAdminHost(url.hostname, dialect);
  return url;
}

/** The admin console has a host of its own, which does not serve the API. */
function refuseAdminHost(host: string, dialect: Dialect): void {
  const label = subdomain(host, dialect);
  if (label?.endsWith('-admin'))
    throw new ScannerError(
      'invalid_org_domain',
      `${host} is the admin console of the organization: give ${host.replace('-admin.', '.')} instead.`,
    );
}

function subdomain(host: string, dialect: Dialect): string | undefined {
  const suffix = dialect.domainSuffixes.find((ending) => host.endsWith(`.${ending}`));
  return suffix === undefined ? undefined : host.slice(0, -(suffix.length + 1));
}
