import zlib from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'zstd';

export type Decompressor = zlib.Gunzip | zlib.ZstdDecompress;

export type Compressor = zlib.Gzip | zlib.ZstdCompress;

/** Magic bytes (RFC 1952, section 2.3.1, and RFC 8878, section 3.1.1). */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Even the fastest compression level removes most of the redundancy in findings. */
const LEVEL = 1;

/** The preferred encoding among those that the service accepts. Node supports zstd since 22.15. */
export function bestEncoding(accepted: readonly string[]): Encoding {
  if (accepted.includes('zstd') && typeof zlib.createZstdCompress === 'function') return 'zstd';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}

/** Whether a file that starts with these bytes is compressed. */
export function isCompressed(start: Buffer): boolean {
  return startsWith(start, GZIP_MAGIC) || startsWith(start, ZSTD_MAGIC);
}

/**
 * A decompressor for a file that starts with these bytes; `undefined` if the file is not compressed or its format is
 * not supported.
 */
export function createDecompressor(start: Buffer): Decompressor | undefined {
  if (startsWith(start, GZIP_MAGIC)) return zlib.createGunzip();
  const supportsZstd = typeof zlib.createZstdDecompress === 'function';
  return supportsZstd && startsWith(start, ZSTD_MAGIC) ? zlib.createZstdDecompress() : undefined;
}

/** A compressor with the fastest level. */
export function createCompressor(encoding: 'gzip' | 'zstd'): Compressor {
  return encoding === 'zstd'
    ? zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL } })
    : zlib.createGzip({ level: LEVEL });
}

function startsWith(start: Buffer, magic: Buffer): boolean {
  return start.subarray(0, magic.length).equals(magic);
}
