import { createReadStream } from 'node:fs';
import { RecordSplitter } from '../../packages/ocsf/src/index.ts';

const CHUNK_BYTES = 2 ** 20;

/** Yields the bytes of each record of a file, in order and in batches, without reading the whole file into memory. */
export async function* recordBytes(file: string): AsyncGenerator<readonly Buffer[]> {
  const spans: { readonly start: number; readonly end: number }[] = [];
  const splitter = new RecordSplitter(
    { maxRecordBytes: 2 ** 22, maxDepth: 100, maxKeys: 50_000 },
    ({ start, end, problem }) => {
      if (problem !== undefined) throw new Error(`The record at byte ${start} is invalid: ${problem}`);
      spans.push({ start, end });
    },
  );
  let remaining: Buffer = Buffer.alloc(0);
  let remainingOffset = 0;
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of chunks) {
    splitter.push(chunk);
    const bytes = Buffer.concat([remaining, chunk]);
    const offset = remainingOffset;
    yield spans.map(({ start, end }) => bytes.subarray(start - offset, end - offset));
    remainingOffset = spans.at(-1)?.end ?? offset;
    remaining = bytes.subarray(remainingOffset - offset);
    spans.length = 0;
  }
  splitter.end();
  if (splitter.fault !== undefined) throw new Error(`The file is not an array of records: ${file}`);
}
