import { pageText } from './page-text.ts';

/** A part of the banner, and the wordings by which it is known. */
interface Mark {
  readonly name: string;
  readonly wordings: readonly string[];
}

/**
 * Marks of the Standard Mandatory DoD Notice and Consent Banner (DTM-08-060). Its own text says "subject to routine
 * monitoring" and "routinely intercepts and monitors"; the other wordings are those of banners before it.
 */
const MARKS: readonly Mark[] = [
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

export interface BannerMarks {
  /** How many marks a banner has in all. */
  readonly total: number;
  /** Names of those that the page lacks; none: it has the banner. */
  readonly missing: readonly string[];
}

/** Looks for the banner in a sign-in page. */
export function findBannerMarks(html: string): BannerMarks {
  const text = pageText(html);
  const missing = MARKS.filter(({ wordings }) => !wordings.some((wording) => text.includes(wording)));
  return { total: MARKS.length, missing: missing.map(({ name }) => name) };
}
