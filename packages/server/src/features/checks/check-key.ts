import type { CheckIdentity } from './count-findings-by-check.ts';

/**
 * The id of a check in this API: `<provider_type>.<check_id>`. A dot of the provider type, and the percent sign that
 * stands for it, are percent-encoded (RFC 3986, section 2.1), so that the first dot is the one between them.
 */
export function checkKey({ provider_type, check_id }: CheckIdentity): string {
  return `${provider_type.replaceAll('%', '%25').replaceAll('.', '%2E')}.${check_id}`;
}

/** The same of a row of `checks`, in SQL. */
export const CHECK_KEY_SQL = `(replace(replace(provider_type, '%', '%25'), '.', '%2E') || '.' || check_id)`;

/** The check of an id; `undefined` where the text can be none: each check has one spelling of its id. */
export function parseCheckKey(text: string): CheckIdentity | undefined {
  const [, provider, check_id] = CHECK_KEY.exec(text) ?? [];
  if (provider === undefined || check_id === undefined) return undefined;
  return { provider_type: provider.replaceAll('%2E', '.').replaceAll('%25', '%'), check_id };
}

/** PostgreSQL's text refuses U+0000. */
const CHECK_KEY = /^((?:[^.%\0]|%2[5E])*)\.([^\0]*)$/;
