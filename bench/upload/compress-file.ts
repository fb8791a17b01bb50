import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { BenchFile } from '../generate-file.ts';

const COMPRESSORS = { gzip: () => createGzip(), zstd: () => createZstdCompress() };

/** Writes a compressed copy next to the file, with the default level of `gzip` (6) or `zstd` (3). */
export async function compressFile(file: BenchFile, format: 'gzip' | 'zstd'): Promise<BenchFile> {
  const path = `${file.path}.${format}`;
  await pipeline(createReadStream(file.path), COMPRESSORS[format](), createWriteStream(path));
  return { ...file, path, bytes: (await stat(path)).size };
}
