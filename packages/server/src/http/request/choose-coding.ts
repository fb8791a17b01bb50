/** The syntax of `qvalue` (RFC 9110, section 12.4.2). */
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Selects the content coding (RFC 9110, section 8.4.1) with the highest quality in an Accept-Encoding header (section
 * 12.5.3), or `identity`. If several codings have the same quality, selects the first. A coding is never used unless
 * the header names it, because `*` does not guarantee that the client supports the coding.
 */
export function chooseCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  codings: readonly Coding[],
): Coding | 'identity' {
  const qualities = new Map(
    (acceptEncoding ?? '').split(',').map((item) => {
      const [coding = '', parameter] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameter === undefined ? '1' : QUALITY.exec(parameter)?.[1];
      return [coding.replace(/^x-gzip$/, 'gzip'), Number(quality ?? 0)] as const;
    }),
  );
  const quality = (coding: string) => qualities.get(coding) ?? 0;
  const chosen = codings.reduce<Coding | 'identity'>(
    (best, coding) => (quality(coding) > (best === 'identity' ? 0 : quality(best)) ? coding : best),
    'identity',
  );
  return quality(chosen) >= quality('identity') ? chosen : 'identity';
}
