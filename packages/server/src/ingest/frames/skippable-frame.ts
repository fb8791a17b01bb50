/**
 * zstd skippable frames (RFC 8878, section 3.1.2). They contain data in addition to the uploaded file. Other readers
 * ignore them and see a plain zstd file.
 */

const MAGIC = 0x184d2a50;
const HEADER_BYTES = 8;

export function encodeSkippable(content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** Returns the content of a skippable frame. Throws if the bytes are not exactly one skippable frame. */
export function decodeSkippable(frame: Buffer, name: string): Buffer {
  if (
    frame.length < HEADER_BYTES ||
    frame.readUInt32LE(0) !== MAGIC ||
    frame.readUInt32LE(4) !== frame.length - HEADER_BYTES
  ) {
    throw new Error(`a stored frame has no ${name} at the expected offset`);
  }
  return frame.subarray(HEADER_BYTES);
}
