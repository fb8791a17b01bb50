import zlib from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'zstd';

/** RFC 1952, section 2.3.1, and RFC 8878, section 3.1.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Fast rather than small: findings repeat so much that the fastest level takes most of them away. */
const LEVEL = 1;

/** How a file is best sent to a service that takes these encodings. Node has zstd from 22.15 on. */
export function bestEncoding(taken: readonly string[]): Encoding {
  if (taken.includes('zstd') && typeof zlib.createZstdCompress === 'function') return 'zstd';
  return taken.includes('gzip') ? 'gzip' : 'identity';
}

/** Whether a file that starts with these bytes is compressed already. */
export function isCompressed(start: Buffer): boolean {
  return startsWith(start, GZIP_MAGIC) || startsWith(start, ZSTD_MAGIC);
}

export type Decompressor = zlib.Gunzip | zlib.ZstdDecompress;

/** What inflates a file that starts with these bytes; `undefined`: it is not compressed, or this Node cannot do it. */
export function createDecompressor(start: Buffer): Decompressor | undefined {
  if (startsWith(start, GZIP_MAGIC)) return zlib.createGunzip();
  const knowsZstd = typeof zlib.createZstdDecompress === 'function';
  return knowsZstd && startsWith(start, ZSTD_MAGIC) ? zlib.createZstdDecompress() : undefined;
}

function startsWith(start: Buffer, magic: Buffer): boolean {
  return start.subarray(0, magic.length).equals(magic);
}

export type Compressor = zlib.Gzip | zlib.ZstdCompress;

export function createCompressor(encoding: 'gzip' | 'zstd'): Compressor {
  return encoding === 'zstd'
    ? zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL } })
    : zlib.createGzip({ level: LEVEL });
}
