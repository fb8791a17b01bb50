import { createWriteStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateFindings } from '../../tools/findings-generator/src/index.ts';
import { prepareRawRecords } from '../baselines/prepare-raw-records.ts';
import { recordBytes } from '../baselines/record-bytes.ts';
import type { BenchFile } from '../generate-file.ts';

/** A file to ingest, and the same records prepared for COPY: compact JSON, one record per row. */
export interface AdverseFile extends BenchFile {
  readonly description: string;
  readonly raw: string;
  /** The target ratio of COPY duration to ingestion duration. */
  readonly target: number;
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
  const generated = (description: string, name: string, target: number, change: Change) =>
    write(folder, { description, name, target, indent: 0 }, records, changedRecords(folder, records, change));
  const files = [
    await generated('generated', 'generated', 2, () => undefined),
    await generated('mixed: 20 accounts, 37 services, 311 checks, 5 severities', 'mixed', 2, mix),
    await generated('11,500 checks', 'checks', 1.3, useManyChecks),
  ];
  if (!existsSync(TEMPLATES)) {
    process.stderr.write(
      'Skipping the realistic file: ../shared/data does not contain the output of a real scan.\n',
    );
    return files;
  }
  const half = Math.ceil(records / 2);
  const realistic = {
    description: 'realistic: records of a real scan, indented',
    name: 'realistic',
    target: 2,
    indent: 4,
  };
  return [...files, await write(folder, realistic, half, realisticRecords(half))];
}

async function* changedRecords(folder: string, records: number, change: Change): AsyncGenerator<object> {
  const file = path.join(folder, 'adverse-source.ocsf.json');
  const resources = Math.max(1000, Math.ceil(records / 1000));
  await pipeline(Readable.from(generateFindings({ records, resources })), createWriteStream(file));
  let at = 0;
  for await (const batch of recordBytes(file))
    for (const bytes of batch) {
      const record: GeneratedRecord = JSON.parse(bytes.toString());
      change(record, at++);
      yield record;
    }
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

interface FileOptions {
  readonly description: string;
  readonly name: string;
  readonly target: number;
  readonly indent: number;
}

async function write(
  folder: string,
  { description, name, target, indent }: FileOptions,
  count: number,
  records: AsyncIterable<object>,
): Promise<AdverseFile> {
  const file = path.join(folder, `adverse-${name}.ocsf.json`);
  const compact = indent === 0 ? file : path.join(folder, `adverse-${name}-compact.ocsf.json`);
  const outputs = [{ path: file, indent }, ...(compact === file ? [] : [{ path: compact, indent: 0 }])];
  const streams = outputs.map((output) => ({ ...output, stream: createWriteStream(output.path) }));
  let separator = '[';
  for await (const record of records) {
    for (const { stream, indent } of streams)
      if (!stream.write(separator + JSON.stringify(record, undefined, indent)))
        await new Promise<void>((resolve) => stream.once('drain', resolve));
    separator = ',\n';
  }
  for (const { stream } of streams) {
    stream.end(`${separator === '[' ? '[' : ''}]`);
    await new Promise<void>((resolve) => stream.once('close', resolve));
  }
  const raw = path.join(folder, `adverse-${name}.copy`);
  await prepareRawRecords(compact, raw);
  return { path: file, bytes: (await stat(file)).size, records: count, description, raw, target };
}
