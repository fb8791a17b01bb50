import type { DialectName } from '../options.ts';

/**
 * Converts a name from the organization file to the vendor's name: `DIRECTORY_SIGN_ON` becomes `OKTA_SIGN_ON`, and
 * `directory_enduser` becomes `okta_enduser`. Names without the prefix are the same for all vendors.
 */
export function translateName(name: string, dialect: DialectName): string {
  return name.replace(/^directory_/, `${dialect}_`).replace(/^DIRECTORY_/, `${dialect.toUpperCase()}_`);
}

/** Returns the name of the request ID header, such as `X-Directory-Request-Id`. */
export function requestIdHeader(dialect: DialectName): string {
  return `X-${dialect === 'okta' ? 'Okta' : 'Directory'}-Request-Id`;
}
