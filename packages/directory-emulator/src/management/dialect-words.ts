import type { DialectName } from '../options.ts';

/**
 * Puts a name of the organization's file into the words of a dialect: `DIRECTORY_SIGN_ON` is `OKTA_SIGN_ON`, and
 * `directory_enduser` is `okta_enduser`. Names without the prefix are the same everywhere.
 */
export function inDialect(name: string, dialect: DialectName): string {
  return name.replace(/^directory_/, `${dialect}_`).replace(/^DIRECTORY_/, `${dialect.toUpperCase()}_`);
}

/** `X-Directory-Request-Id` */
export function requestIdHeader(dialect: DialectName): string {
  return `X-${dialect === 'okta' ? 'Okta' : 'Directory'}-Request-Id`;
}
