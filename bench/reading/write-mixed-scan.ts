import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createRecordSource } from '../../tools/findings-generator/src/index.ts';

/** 40 accounts and 420 checks. */
const PARTS = [
  { provider: 'aws', share: 0.6, accounts: 24, checks: 200 },
  { provider: 'azure', share: 0.2, accounts: 8, checks: 100 },
  { provider: 'gcp', share: 0.1, accounts: 4, checks: 60 },
  { provider: 'kubernetes', share: 0.05, accounts: 2, checks: 40 },
  { provider: 'okta', share: 0.05, accounts: 2, checks: 20 },
] as const;
/** Records of an account are dated in this many different minutes. */
const MINUTES = 10;
const REGION_VARIANTS = 6;

interface GeneratedResource {
  readonly uid: string;
  /** Absent in Kubernetes. */
  readonly region?: string;
}

/** A scan of all accounts. */
export interface MixedScan {
  readonly name: string;
  /** Unix timestamp of its first records, in seconds. */
  readonly time: number;
  /** A large prime number, which determines the order of the records. */
  readonly step: number;
  /** Random seed of the results in the first minute. In the other minutes, all scans have the same results. */
  readonly seed: number;
}

/** Two scans with the same findings in a different order; 4% of the findings have a different status. */
export const MIXED_SCANS: readonly MixedScan[] = [
  { name: 'first', time: 1_785_542_400, step: 15_485_863, seed: 1 },
  { name: 'second', time: 1_785_628_800, step: 32_452_843, seed: 2 },
];

/** Writes a scan in which neighboring records belong to different accounts, checks and resources. */
export async function writeMixedScan(folder: string, records: number, scan: MixedScan): Promise<string> {
  const file = path.join(folder, `mixed-${scan.name}.ocsf.json`);
  await pipeline(Readable.from(mixedRecords(records, scan)), createWriteStream(file));
  return file;
}

function* mixedRecords(records: number, scan: MixedScan): Generator<string> {
  const recordAt = mixedRecordSource(records, scan);
  for (let at = 0; at < records; at++)
    yield `${at === 0 ? '[' : ',\n'}${JSON.stringify(vary(recordAt((at * scan.step) % records)))}`;
  yield ']';
}

/** Distributes resources among more regions than the generator has. */
function vary(record: Readonly<Record<string, unknown>>): object {
  const resources: readonly GeneratedResource[] = Array.isArray(record.resources) ? record.resources : [];
  return {
    ...record,
    resources: resources.map(({ region, ...resource }) => {
      const variant = Number.parseInt(hash('md5', resource.uid).slice(0, 8), 16) % REGION_VARIANTS;
      return { ...resource, ...(region !== undefined && { region: `${region}-${variant}` }) };
    }),
  };
}

function mixedRecordSource(records: number, { name, time, seed }: MixedScan) {
  let end = 0;
  const parts = PARTS.map(({ provider, share, accounts, checks }) => {
    const start = end;
    end += Math.ceil(records * share);
    // As few resources as possible, so that each has the findings of many checks.
    const resources = Math.ceil((end - start) / (accounts * checks));
    const options = { provider, accounts, checks, resources, scanId: `${name} scan` };
    const sources = Array.from({ length: MINUTES }, (_, minute) =>
      createRecordSource({ ...options, time: time + 60 * minute, seed: minute === 0 ? seed : 1 }),
    );
    return { start, end, sources };
  });
  return (position: number) => {
    const part = parts.find(({ end }) => position < end);
    const index = position - (part?.start ?? 0);
    return part?.sources[index % MINUTES]?.(index) ?? {};
  };
}
