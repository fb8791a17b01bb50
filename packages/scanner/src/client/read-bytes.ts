import { open } from 'node:fs/promises';

const CHUNK_BYTES = 2 ** 19;

/**
 * Yields the bytes of a file in chunks. All chunks share one buffer, so that a large file creates no garbage: copy a chunk
 * to keep it after the next chunk is read.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
