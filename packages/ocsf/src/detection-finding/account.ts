const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const HOST_NAME = /^[\da-z-]+(?:\.[\da-z-]+)+$/i;

/** By provider type: account ids that the provider compares without regard to case. They are written in lower case. */
const CASE_INSENSITIVE: ReadonlyMap<string, RegExp> = new Map([
  // Subscriptions and tenants are UUIDs (RFC 9562, section 4).
  ['azure', UUID],
  ['entra', UUID],
  ['m365', UUID],
  // Organizations are host names (RFC 4343).
  ['okta', HOST_NAME],
]);

/** A provider type as it identifies a provider: `plainText` in lower case. */
export function normalizeProviderType(text: string): string {
  return plainText(text.toLowerCase());
}

/**
 * An account id as it identifies a provider, and is billed: `plainText`, in lower case where the provider does not
 * distinguish case. `providerType` is normalized. Migration 0017 does the same in SQL.
 */
export function normalizeAccount(providerType: string, text: string): string {
  const account = plainText(text);
  return CASE_INSENSITIVE.get(providerType)?.test(account) === true ? account.toLowerCase() : account;
}

/** What an account may be normalized to whose provider is not known. */
export function accountSpellings(text: string): readonly string[] {
  const types = ['', ...CASE_INSENSITIVE.keys()];
  return [...new Set(types.map((type) => normalizeAccount(type, text)))];
}

/**
 * Text without what nobody sees: in Unicode normalization form C, without default ignorable code points (zero-width
 * characters, directional marks), without white space around it.
 */
export function plainText(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  // In this order: what a zero-width character separates may compose.
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .trim();
}
