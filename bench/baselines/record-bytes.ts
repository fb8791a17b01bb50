import { createReadStream } from 'node:fs';
import { RecordSplitter } from '../../packages/ocsf/src/index.ts';

const PIECE_BYTES = 2 ** 20;

/** The bytes of each record of a file, in order, some at a time; the file is never in memory as a whole. */
export async function* recordBytes(file: string): AsyncGenerator<readonly Buffer[]> {
  const spans: { readonly start: number; readonly end: number }[] = [];
  const splitter = new RecordSplitter(
    { maxRecordBytes: 2 ** 22, maxDepth: 100, maxKeys: 50_000 },
    ({ start, end, problem }) => {
      if (problem !== undefined) throw new Error(`the record at byte ${start} is ${problem}`);
      spans.push({ start, end });
    },
  );
  let rest: Buffer = Buffer.alloc(0);
  let restOffset = 0;
  const pieces: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: PIECE_BYTES });
  for await (const piece of pieces) {
    splitter.push(piece);
    const bytes = Buffer.concat([rest, piece]);
    const offset = restOffset;
    yield spans.map(({ start, end }) => bytes.subarray(start - offset, end - offset));
    restOffset = spans.at(-1)?.end ?? offset;
    rest = bytes.subarray(restOffset - offset);
    spans.length = 0;
  }
  splitter.end();
  if (splitter.fault !== undefined) throw new Error(`the file is no array of records: ${file}`);
}
