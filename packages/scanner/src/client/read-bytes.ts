import { open } from 'node:fs/promises';

const CHUNK_BYTES = 2 ** 19;

/**
 * The bytes of a file, one piece after another in the SAME buffer, so that a large file leaves no garbage behind: whoever
 * keeps a piece beyond the next one copies it.
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
