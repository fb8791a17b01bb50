import { fetchThrough } from '../http/proxies.ts';
import { isUnreachable, ScannerError } from '../lib/errors.ts';
import type { Log } from '../terminal/log.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { textForDialect } from './dialect-names.ts';
import { ManagementApi } from './management-api.ts';
import { probe } from './probe.ts';
import { NoResponseError } from './response.ts';
import type { DirectorySettings } from './settings.ts';
import { type ReadSnapshot, snapshotReader } from './snapshot-reader.ts';
import { TokenSource } from './token-source.ts';
import { type RequestCounts, Transport } from './transport.ts';

/** A connected organization. */
export interface Directory {
  readonly orgDomain: string;
  readonly clientId: string;
  /** `undefined` if the directory does not report the granted scopes; every read is then attempted. */
  readonly grantedScopes: readonly string[] | undefined;
  /** Request counts, updated during reads. */
  readonly requests: Readonly<RequestCounts>;
  readonly read: ReadSnapshot;
}

/**
 * Signs in and verifies read access. Throws a ScannerError that identifies the invalid setting (address, client ID,
 * key, scope or role) and the remedy.
 */
export async function connect(settings: DirectorySettings, log: Log): Promise<Directory> {
  const { dialect, orgDomain, origin, clientId } = settings;
  const transport = new Transport(settings, log, dialectWarner(dialect, log));
  const fetch = settings.proxy && fetchThrough(settings.proxy);
  const tokens = new TokenSource({ ...settings, fetch }, transport, log);
  try {
    const { scopes: grantedScopes } = await tokens.get();
    const api = new ManagementApi({ dialect, origin, transport, tokens, grantedScopes, fetch });
    await probe(api, { clientId, origin, grantedScopes });
    if (grantedScopes === undefined)
      log.warn(
        textForDialect(
          dialect,
          'The directory does not report which scopes it granted; every read is attempted',
        ),
      );
    log.debug('Connected', { orgDomain, clientId, grantedScopes });
    return { orgDomain, clientId, grantedScopes, requests: transport.counts, read: snapshotReader(api) };
  } catch (error) {
    if (error instanceof NoResponseError) throw unreachable(settings, error);
    if (error instanceof ScannerError) error.message = textForDialect(dialect, error.message);
    throw error;
  }
}

/** Warns once if responses look like those of another vendor, because a custom domain does not identify the vendor. */
function dialectWarner(dialect: Dialect, log: Log): (headers: Headers) => void {
  let hasWarned = false;
  return (headers) => {
    const other = Object.values(DIALECTS).find(
      (one) => one !== dialect && headers.has(`${one.headerPrefix}-Request-Id`),
    );
    if (hasWarned || other === undefined) return;
    hasWarned = true;
    log.warn(
      `The responses look like those of ${other.title}; if this is an ${other.title} organization, scan it with --dialect ${other.name}`,
    );
  };
}

function unreachable({ origin, proxy }: DirectorySettings, error: NoResponseError): ScannerError {
  return new ScannerError('unreachable', `${origin} ${error.message}: ${adviceFor(error, proxy)}.`, {
    cause: error,
  });
}

function adviceFor({ code, cause }: NoResponseError, proxy: URL | undefined): string {
  const refusal = proxy && proxyRefusal(cause);
  // All connections go to the proxy, if there is one.
  if (proxy !== undefined && isUnreachable(code))
    return `the proxy ${proxy.host} could not be reached; check HTTP_PROXY, HTTPS_PROXY and NO_PROXY`;
  if (code === 'ENOTFOUND')
    return 'the host name cannot be resolved; check DIRECTORY_ORG_DOMAIN (or DIRECTORY_ORG_URL)';
  if (refusal !== undefined) return `the proxy ${proxy?.host} refused the connection (${refusal})`;
  return 'check the address, the network and the proxy settings';
}

/** `fetch` reports a rejected proxy tunnel as an error without a status in its chain of causes. */
function proxyRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return /^Proxy response/.test(error.message) ? error.message : proxyRefusal(error.cause);
}
