import { constants, createGzip, createZstdCompress } from 'node:zlib';

/** In which form a file goes over the wire (RFC 9110, section 8.4.1; zstd: RFC 8878). */
export type ContentCoding = 'identity' | 'zstd' | 'gzip';

/** In the order in which they are taken where a client likes several as well: zstd is several times cheaper. */
const CODINGS = ['zstd', 'gzip'] as const;

/** As `qvalue` is written (RFC 9110, section 12.4.2). */
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * The coding that an Accept-Encoding header (RFC 9110, section 12.5.3) likes best. One that it does not name is not
 * used: `*` alone does not say that the client can read it.
 */
export function chooseCoding(acceptEncoding: string | undefined): ContentCoding {
  const qualities = new Map(
    (acceptEncoding ?? '').split(',').map((item) => {
      const [coding = '', parameter] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameter === undefined ? '1' : QUALITY.exec(parameter)?.[1];
      return [coding.replace(/^x-gzip$/, 'gzip'), Number(quality ?? 0)] as const;
    }),
  );
  const quality = (coding: ContentCoding) => qualities.get(coding) ?? 0;
  const [best = 'zstd', ...others] = CODINGS;
  const chosen = others.reduce<ContentCoding>((a, b) => (quality(b) > quality(a) ? b : a), best);
  return quality(chosen) > 0 && quality(chosen) >= quality('identity') ? chosen : 'identity';
}

/**
 * A stream that compresses. All of a file becomes one zstd frame: the stored frames could be sent as they are, but
 * Node's own `fetch` (24.21) reads the first frame of a response and drops the others without an error.
 */
export function compressorFor(coding: 'zstd' | 'gzip') {
  if (coding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED });
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}
