import { constants, createGzip, createZstdCompress } from 'node:zlib';

/** In order of preference. zstd (RFC 8878) uses a fraction of the CPU time that gzip uses. */
export const FILE_CODINGS = ['zstd', 'gzip'] as const;

/**
 * Creates a compressing stream that writes the whole file as one zstd frame. Sending the stored frames unchanged would
 * be cheaper, but `fetch` in Node.js (24.21) reads only the first frame of a response and silently drops the others.
 */
export function compressorFor(coding: (typeof FILE_CODINGS)[number]) {
  if (coding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED });
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}
