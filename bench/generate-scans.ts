import { type BenchFile, generateFile } from './generate-file.ts';

/** Time of the second scan, as a Unix timestamp in seconds. */
const NEXT_SCAN = 1_785_628_800;

/** A scan, and a later scan of the same resources with the same findings. */
export interface Scans {
  readonly fresh: BenchFile;
  readonly repeated: BenchFile;
}

export async function generateScans(folder: string, records: number): Promise<Scans> {
  return {
    fresh: await generateFile(folder, records),
    repeated: await generateFile(folder, records, { time: NEXT_SCAN }),
  };
}
