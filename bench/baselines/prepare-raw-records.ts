import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { recordBytes } from './record-bytes.ts';

/** Writes the input of `copy-raw-records.ts`: one record per line in the text format of COPY. */
export async function prepareRawRecords(file: string, prepared: string): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of recordBytes(file))
      yield batch.map((bytes) => `${escaped(bytes.toString('utf8'))}\n`).join('');
  }
  await pipeline(Readable.from(lines()), createWriteStream(prepared));
}

function escaped(record: string): string {
  return record
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}
