import { DEFAULT_OPTIONS } from '../tools/findings-generator/src/index.ts';
import { type BenchFile, generateFile } from './generate-file.ts';

/** Times of two scans, as Unix timestamps in seconds. */
export const FIRST_SCAN = DEFAULT_OPTIONS.time;
export const NEXT_SCAN = 1_785_628_800;

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
