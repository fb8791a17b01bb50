import { open } from 'node:fs/promises';

const CHUNK_BYTES = 2 ** 19;

/**
 * Yields the bytes of a file in chunks. All chunks share one buffer, so that reading a large file creates no garbage.
 * To keep a chunk after the next one is read, copy it.
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
