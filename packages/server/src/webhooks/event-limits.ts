/** The most providers that the payload of an event lists. */
export const MAX_LISTED_PROVIDERS = 100;
/** The most findings that the payload of an event lists. */
export const MAX_LISTED_FINDINGS = 10;
