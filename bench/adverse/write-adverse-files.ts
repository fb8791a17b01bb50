import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateFindings } from '../../tools/findings-generator/src/index.ts';
import { prepareRawRecords } from '../baselines/prepare-raw-records.ts';
import { recordBytes } from '../baselines/record-bytes.ts';
import type { BenchFile } from '../generate-file.ts';
import { FIRST_SCAN, NEXT_SCAN } from '../generate-scans.ts';

/** A file to ingest, and the same records prepared for COPY: compact JSON, one record per row. */
export interface AdverseFile extends BenchFile {
  readonly description: string;
  readonly raw: string;
  /** The target ratio of COPY duration to ingestion duration. */
  readonly target: number;
  /** A later scan of the same findings. */
  readonly again?: BenchFile & Pick<AdverseFile, 'target'>;
}

interface GeneratedRecord {
  readonly cloud: { account: { uid: string } };
  readonly metadata: { event_code: string };
  readonly finding_info: { uid: string };
  readonly resources: { uid: string; group: { name: string } }[];
  severity_id: number;
}

/** The output of a real scan, which is not in the repository. */
const TEMPLATES = new URL('../../../shared/data/scanner-output-aws-5.46.ocsf.json', import.meta.url);
const ACCOUNTS = 20;
const SEVERITIES = 5;

type Change = (record: GeneratedRecord, at: number) => void;

/** Cycles through 20 accounts, 37 services, 311 checks and 5 severities, so that neighboring records differ in all of them. */
const mix: Change = (record, at) => {
  record.cloud.account.uid = accountAt(at);
  record.metadata.event_code = `check_${at % 311}`;
  record.severity_id = 1 + (at % SEVERITIES);
  for (const resource of record.resources) resource.group.name = `service-${at % 37}`;
};
const useManyChecks: Change = (record, at) => {
  record.metadata.event_code = `check_${at % 11_500}`;
};

/** Writes the generated and the adverse files with `records` records each; the realistic file has half as many. */
export async function writeAdverseFiles(folder: string, records: number): Promise<AdverseFile[]> {
  const generated = async (
    name: string,
    description: string,
    [target, targetAgain]: readonly [number, number],
    change: Change,
  ): Promise<AdverseFile> => {
    const scan = (scanName: string, time: number) =>
      writeRecords(folder, scanName, 0, changedRecords(folder, records, time, change));
    const again = { ...(await scan(`${name}-again`, NEXT_SCAN)), records, target: targetAgain };
    const first = await scan(name, FIRST_SCAN);
    return { ...first, records, description, target, raw: await prepareRaw(folder, name, first.path), again };
  };
  const files = [
    await generated('generated', 'generated', [3, 3.2], () => undefined),
    await generated('mixed', 'mixed: 20 accounts, 37 services, 311 checks, 5 severities', [2.5, 3], mix),
    await generated('checks', '11,500 checks', [2, 2.2], useManyChecks),
  ];
  if (!existsSync(TEMPLATES)) {
    process.stderr.write(
      'Skipping the realistic file: ../shared/data does not contain the output of a real scan.\n',
    );
    return files;
  }
  const half = Math.ceil(records / 2);
  const compact = await writeRecords(folder, 'realistic-compact', 0, realisticRecords(half));
  const raw = await prepareRaw(folder, 'realistic', compact.path);
  await rm(compact.path);
  const realistic = await writeRecords(folder, 'realistic', 4, realisticRecords(half));
  const description = 'realistic: records of a real scan, indented';
  return [...files, { ...realistic, records: half, description, target: 2.8, raw }];
}

async function* changedRecords(
  folder: string,
  records: number,
  time: number,
  change: Change,
): AsyncGenerator<object> {
  const file = path.join(folder, 'adverse-source.ocsf.json');
  const resources = Math.max(1000, Math.ceil(records / 1000));
  await pipeline(Readable.from(generateFindings({ records, resources, time })), createWriteStream(file));
  let at = 0;
  for await (const batch of recordBytes(file))
    for (const bytes of batch) {
      const record: GeneratedRecord = JSON.parse(bytes.toString());
      change(record, at++);
      yield record;
    }
  await rm(file);
}

/** Replicates the records of a real scan across more accounts and resources. */
async function* realisticRecords(records: number): AsyncGenerator<object> {
  const templates: readonly string[] = (JSON.parse(await readFile(TEMPLATES, 'utf8')) as unknown[]).map(
    (record) => JSON.stringify(record),
  );
  for (let at = 0; at < records; at++) {
    const record: GeneratedRecord = JSON.parse(templates[at % templates.length] ?? '{}');
    const account = accountAt(Math.floor(at / templates.length));
    record.cloud.account.uid = account;
    record.finding_info.uid = `${record.finding_info.uid}-${at}`;
    for (const resource of record.resources) resource.uid = `${resource.uid}/${account}/${at}`;
    yield record;
  }
}

function accountAt(at: number): string {
  return String(100_000_000_000 + (at % ACCOUNTS));
}

async function prepareRaw(folder: string, name: string, compact: string): Promise<string> {
  const raw = path.join(folder, `adverse-${name}.copy`);
  await prepareRawRecords(compact, raw);
  return raw;
}

async function writeRecords(
  folder: string,
  name: string,
  indent: number,
  records: AsyncIterable<object>,
): Promise<Pick<BenchFile, 'path' | 'bytes'>> {
  const file = path.join(folder, `adverse-${name}.ocsf.json`);
  await pipeline(Readable.from(arrayOf(records, indent)), createWriteStream(file));
  return { path: file, bytes: (await stat(file)).size };
}

async function* arrayOf(records: AsyncIterable<object>, indent: number): AsyncGenerator<string> {
  let separator = '[';
  for await (const record of records) {
    yield separator + JSON.stringify(record, undefined, indent);
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}
