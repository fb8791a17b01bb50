import { pageText } from './page-text.ts';

/** A phrase of the banner and its accepted wordings. */
interface Phrase {
  readonly name: string;
  readonly wordings: readonly string[];
}

/**
 * Phrases of the Standard Mandatory DoD Notice and Consent Banner (DTM-08-060). The current banner says "subject to
 * routine monitoring" and "routinely intercepts and monitors"; earlier banners use the other wordings.
 */
const PHRASES: readonly Phrase[] = [
  { name: 'U.S. Government', wordings: ['u.s. government', 'us government'] },
  { name: 'information system', wordings: ['information system'] },
  { name: 'authorized use', wordings: ['authorized use'] },
  {
    name: 'monitoring',
    wordings: [
      'subject to routine monitoring',
      'intercepts and monitors',
      'subject to monitoring',
      'may be intercepted',
      'searched, monitored, and recorded',
      'consent to monitoring',
    ],
  },
];

export interface BannerPhrases {
  /** The number of phrases in a complete banner. */
  readonly total: number;
  /** Names of the phrases that the page does not contain; empty if the banner is complete. */
  readonly missing: readonly string[];
}

/** Searches a sign-in page for the banner. */
export function findBannerPhrases(html: string): BannerPhrases {
  const text = pageText(html);
  const missing = PHRASES.filter(({ wordings }) => !wordings.some((wording) => text.includes(wording)));
  return { total: PHRASES.length, missing: missing.map(({ name }) => name) };
}
