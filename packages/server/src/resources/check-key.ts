export interface CheckIdentity {
  readonly provider_type: string;
  readonly check_id: string;
}

/**
 * The id of a check in this API: `<provider_type>.<check_id>`. Dots and percent signs in the provider type are
 * percent-encoded (RFC 3986, section 2.1), so that the first dot is always the separator.
 */
export function checkKey({ provider_type, check_id }: CheckIdentity): string {
  return `${provider_type.replaceAll('%', '%25').replaceAll('.', '%2E')}.${check_id}`;
}

/** SQL for the id of a `checks` row. */
export const CHECK_KEY_SQL = `(replace(replace(provider_type, '%', '%25'), '.', '%2E') || '.' || check_id)`;

/** Excludes U+0000, which PostgreSQL cannot store in text. */
const CHECK_KEY = /^((?:[^.%\0]|%2[5E])*)\.([^\0]*)$/;

/** Parses a check id. Returns `undefined` if the id is malformed or not in canonical form. */
export function parseCheckKey(text: string): CheckIdentity | undefined {
  const [, provider, check_id] = CHECK_KEY.exec(text) ?? [];
  if (provider === undefined || check_id === undefined) return undefined;
  return { provider_type: provider.replaceAll('%2E', '.').replaceAll('%25', '%'), check_id };
}
