import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { ConnectionTarget, Host } from '../config/connection-string.ts';
import { codeOf, messageOf, OperatorError } from '../lib/errors.ts';
import { INVALID_AUTHORIZATION_SPECIFICATION } from './database-errors.ts';
import type { SessionClientConfig } from './session-client.ts';

/** One way to connect: a host, with or without TLS. */
export interface Candidate {
  readonly config: SessionClientConfig;
  /** Whether to try the next candidate after this error. */
  readonly allowsNext: (error: unknown) => boolean;
}

/** The candidates in libpq's order, host by host. `allow` and `prefer` lead to two candidates for each host. */
export function connectionCandidates(target: ConnectionTarget): readonly Candidate[] {
  const { user, password, database, channelBinding } = target;
  const login = {
    ...{ user, password, database },
    enableChannelBinding: channelBinding === 'prefer' || channelBinding === 'require',
    requireChannelBinding: channelBinding === 'require',
  };
  return target.hosts.flatMap((host, at) => {
    const isLast = at === target.hosts.length - 1;
    // As in libpq (PostgreSQL documentation, section 34.1.1.3), the next host is not tried after a rejected password or
    // a missing database.
    const allowsNextHost = (error: unknown) => !isLast && !/^(28|3D)/.test(codeOf(error) ?? '');
    const modes = tlsModes(target, host);
    return modes.map((ssl, index) => ({
      config: { ...login, ...host, ssl },
      allowsNext: (error: unknown) =>
        index < modes.length - 1
          ? isAboutTls(error, ssl !== false) || allowsNextHost(error)
          : allowsNextHost(error),
    }));
  });
}

function tlsModes(target: ConnectionTarget, { host }: Host): readonly (false | ConnectionOptions)[] {
  // As in libpq, the mode does not apply to Unix sockets, whose traffic never leaves the machine.
  if (host?.startsWith('/') === true) return [false];
  const certificates = readCertificates(target);
  const unchecked: ConnectionOptions = { ...certificates, rejectUnauthorized: false };
  switch (target.sslMode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, unchecked];
    case undefined:
    case 'prefer':
      return [unchecked, false];
    case 'require':
      return certificates.ca === undefined ? [unchecked] : [withoutNameCheck(certificates)];
    case 'verify-ca':
      if (certificates.ca === undefined)
        throw new OperatorError(
          "DATABASE_URL has sslmode=verify-ca but no sslrootcert; set sslrootcert to the file with the server's certificate authority",
        );
      return [withoutNameCheck(certificates)];
    case 'verify-full':
      return [certificates];
  }
}

function withoutNameCheck(certificates: ConnectionOptions): ConnectionOptions {
  return { ...certificates, checkServerIdentity: () => undefined };
}

function readCertificates({ sslFiles: { rootCert, cert, key } }: ConnectionTarget): ConnectionOptions {
  return {
    ...(rootCert !== undefined && rootCert !== 'system' && { ca: readFile('sslrootcert', rootCert) }),
    ...(cert !== undefined && { cert: readFile('sslcert', cert) }),
    ...(key !== undefined && { key: readFile('sslkey', key) }),
  };
}

function readFile(parameter: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`cannot read the ${parameter} in DATABASE_URL: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function isAboutTls(error: unknown, isWithTls: boolean): boolean {
  if (error instanceof pg.DatabaseError) return error.code === INVALID_AUTHORIZATION_SPECIFICATION;
  if (!isWithTls || !(error instanceof Error)) return false;
  const code = codeOf(error) ?? '';
  return (
    /support SSL|SSL connection/.test(error.message) || /^(ERR_SSL|ERR_TLS|EPROTO|ECONNRESET)/.test(code)
  );
}
