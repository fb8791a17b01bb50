import { createWriteStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateFindings } from '../../tools/findings-generator/src/index.ts';
import { prepareRawRecords } from '../baselines/prepare-raw-records.ts';
import { recordBytes } from '../baselines/record-bytes.ts';
import type { BenchFile } from '../generate-file.ts';

/** A file, and the same records as COPY takes them: compact, one a row. */
export interface AdverseFile extends BenchFile {
  readonly what: string;
  readonly raw: string;
  /** Times as fast as COPY. */
  readonly target: number;
}

interface GeneratedRecord {
  readonly cloud: { account: { uid: string } };
  readonly metadata: { event_code: string };
  readonly finding_info: { uid: string };
  readonly resources: { uid: string; group: { name: string } }[];
  severity_id: number;
}

/** Output of a real scan; it is no part of the repository. */
const TEMPLATES = new URL('../../../shared/data/scanner-output-aws-5.46.ocsf.json', import.meta.url);
const ACCOUNTS = 20;
const SEVERITIES = 5;

type Change = (record: GeneratedRecord, at: number) => void;

/** 20 accounts, 37 services, 311 checks and 5 severities, another one of each with every record. */
const mix: Change = (record, at) => {
  record.cloud.account.uid = accountAt(at);
  record.metadata.event_code = `check_${at % 311}`;
  record.severity_id = 1 + (at % SEVERITIES);
  for (const resource of record.resources) resource.group.name = `service-${at % 37}`;
};
const useManyChecks: Change = (record, at) => {
  record.metadata.event_code = `check_${at % 11_500}`;
};

/** Files that are less kind than the generated one, each of so many records; of the realistic one half as many. */
export async function writeAdverseFiles(folder: string, records: number): Promise<AdverseFile[]> {
  const generated = (what: string, name: string, target: number, change: Change) =>
    write(folder, { what, name, target, indent: 0 }, records, changed(folder, records, change));
  const files = [
    await generated('generated', 'generated', 2, () => undefined),
    await generated('mixed: 20 accounts, 37 services, 311 checks, 5 severities', 'mixed', 2, mix),
    await generated('11,500 checks', 'checks', 1.3, useManyChecks),
  ];
  if (!existsSync(TEMPLATES)) {
    process.stderr.write(
      'the realistic file is left out: there is no ../shared/data with the output of a real scan\n',
    );
    return files;
  }
  const half = Math.ceil(records / 2);
  const realistic = {
    what: 'realistic: indented as a scanner writes it',
    name: 'realistic',
    target: 2,
    indent: 4,
  };
  return [...files, await write(folder, realistic, half, likeRealRecords(half))];
}

async function* changed(folder: string, records: number, change: Change): AsyncGenerator<object> {
  const file = path.join(folder, 'adverse-source.ocsf.json');
  const resources = Math.max(1000, Math.ceil(records / 1000));
  await pipeline(Readable.from(generateFindings({ records, resources })), createWriteStream(file));
  let at = 0;
  for await (const some of recordBytes(file))
    for (const bytes of some) {
      const record: GeneratedRecord = JSON.parse(bytes.toString());
      change(record, at++);
      yield record;
    }
}

/** Records made from those of a real scan, of more accounts and resources. */
async function* likeRealRecords(records: number): AsyncGenerator<object> {
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

interface Written {
  readonly what: string;
  readonly name: string;
  readonly target: number;
  readonly indent: number;
}

async function write(
  folder: string,
  { what, name, target, indent }: Written,
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
  return { path: file, bytes: (await stat(file)).size, records: count, what, raw, target };
}
