import { ScannerError } from '../lib/errors.ts';
import type { Dialect } from './dialect.ts';

/** The organization and the origin of its API. */
export interface OrgAddress {
  /** The account ID in the findings. */
  readonly orgDomain: string;
  /** Scheme, host and port, such as `https://example.directory.com`. */
  readonly origin: string;
}

const LABEL = /^[a-z0-9][a-z0-9-]*$/;

/**
 * Validates the organization domain, or the origin that replaces it (for a custom domain or an emulator). If both are
 * set, requests go to the origin and findings contain the domain.
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

function readDomain(value: string, dialect: Dialect): string {
  const domain = value.toLowerCase();
  refuseAdminHost(domain, dialect);
  const label = subdomain(domain, dialect);
  if (label !== undefined && LABEL.test(label)) return domain;
  throw new ScannerError(
    'invalid_org_domain',
    `'${value}' is not an organization domain: use a host name with one label before ${dialect.domainSuffixes.join(', ')}, such as example.${dialect.domainSuffixes[0]}, or set an origin in DIRECTORY_ORG_URL.`,
  );
}

function readOrigin(value: string, dialect: Dialect): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  // A trailing slash is allowed; a path or a password is not.
  if (url === undefined || !allowed || url.href.replace(/\/$/, '') !== url.origin)
    throw new ScannerError(
      'invalid_org_domain',
      'DIRECTORY_ORG_URL must be an origin without a path, such as https://login.example.com. Plain HTTP is allowed only for this machine.',
    );
  refuseAdminHost(url.hostname, dialect);
  return url;
}

/** Whether a host is on this machine, so that plain HTTP is allowed. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** The host of the admin console does not serve the API. */
function refuseAdminHost(host: string, dialect: Dialect): void {
  const label = subdomain(host, dialect);
  if (label?.endsWith('-admin'))
    throw new ScannerError(
      'invalid_org_domain',
      `${host} is the admin console of the organization: use ${host.replace('-admin.', '.')} instead.`,
    );
}

function subdomain(host: string, dialect: Dialect): string | undefined {
  const suffix = dialect.domainSuffixes.find((ending) => host.endsWith(`.${ending}`));
  return suffix === undefined ? undefined : host.slice(0, -(suffix.length + 1));
}
