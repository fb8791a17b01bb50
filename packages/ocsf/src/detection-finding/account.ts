const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const HOST_NAME = /^[\da-z-]+(?:\.[\da-z-]+)+$/i;

/** Patterns for case-insensitive account ids, by provider type. Matching ids are converted to lower case. */
const CASE_INSENSITIVE: ReadonlyMap<string, RegExp> = new Map([
  // Subscriptions and tenants are UUIDs (RFC 9562, section 4).
  ['azure', UUID],
  ['entra', UUID],
  ['m365', UUID],
  // Organizations are host names (RFC 4343).
  ['okta', HOST_NAME],
]);

/** Normalizes a provider type: applies `plainText` and converts the result to lower case. */
export function normalizeProviderType(text: string): string {
  return plainText(text.toLowerCase());
}

/**
 * Normalizes an account id, which identifies a billed provider: applies `plainText`, and converts the result to lower
 * case if the provider's ids are case-insensitive. `providerType` must be normalized. Migration 0017 does the same in
 * SQL.
 */
export function normalizeAccount(providerType: string, text: string): string {
  const account = plainText(text);
  return CASE_INSENSITIVE.get(providerType)?.test(account) === true ? account.toLowerCase() : account;
}

/** Returns every normalized form that an account id can have if the provider type is unknown. */
export function accountSpellings(text: string): readonly string[] {
  const types = ['', ...CASE_INSENSITIVE.keys()];
  return [...new Set(types.map((type) => normalizeAccount(type, text)))];
}

/**
 * Removes invisible differences: converts the text to Unicode normalization form C, and removes default ignorable
 * code points (zero-width characters, directional marks) and surrounding white space.
 */
export function plainText(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  // Code points are removed before normalization, because the characters around them may compose.
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .trim();
}
