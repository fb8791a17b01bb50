import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type GeneratorOptions, generateFindings } from '../tools/findings-generator/src/index.ts';

export interface BenchFile {
  readonly path: string;
  readonly bytes: number;
  readonly records: number;
}

/** Writes a generated file with the given number of distinct findings to the folder. */
export async function generateFile(
  folder: string,
  records: number,
  options: Partial<GeneratorOptions> = {},
): Promise<BenchFile> {
  const file = path.join(folder, `${records}-${options.time ?? 0}.ocsf.json`);
  const resources = Math.max(1000, Math.ceil(records / 1000));
  await pipeline(
    Readable.from(generateFindings({ records, resources, ...options })),
    createWriteStream(file),
  );
  return { path: file, bytes: (await stat(file)).size, records };
}
