import { constants, createGzip, createZstdCompress } from 'node:zlib';

/** In the order in which they are taken where a client likes several as well: zstd (RFC 8878) is several times cheaper. */
export const FILE_CODINGS = ['zstd', 'gzip'] as const;

/**
 * A stream that compresses. All of a file becomes one zstd frame: the stored frames could be sent as they are, but
 * Node's own `fetch` (24.21) reads the first frame of a response and drops the others without an error.
 */
export function compressorFor(coding: (typeof FILE_CODINGS)[number]) {
  if (coding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED });
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}
