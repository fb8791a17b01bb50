import { type BenchFile, generateFile } from './generate-file.ts';

/** When the second scan was made, in seconds since 1970. */
const NEXT_SCAN = 1_785_628_800;

/** A scan of so many resources, and a later one of the same, which brings the same findings again. */
export interface Scans {
  readonly fresh: BenchFile;
  readonly again: BenchFile;
}

export async function generateScans(folder: string, records: number): Promise<Scans> {
  return {
    fresh: await generateFile(folder, records),
    again: await generateFile(folder, records, { time: NEXT_SCAN }),
  };
}
