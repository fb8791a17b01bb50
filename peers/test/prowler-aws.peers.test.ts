import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type Client,
  createClient,
  type Ingestion,
  type Resource,
} from '../../packages/server/test/support/client.ts';
import { joinService, type SharedService } from '../../packages/server/test/support/lanes.ts';
import { run, type StartedProcess, startProcess } from '../../packages/server/test/support/process.ts';
import { walkPages } from '../../packages/server/test/support/walk-pages.ts';
import { type PythonEnvironment, pythonEnvironment } from '../python-environment.ts';

const SERVICES = 's3 iam sqs sns kms dynamodb secretsmanager ecr cloudwatch efs'.split(' ');
const AWS_ACCOUNT = path.join(import.meta.dirname, '../aws-account.py');

/** The attributes of a record that the test uses. */
interface ProwlerRecord {
  readonly metadata: { readonly event_code: string };
  readonly finding_info: { readonly uid: string };
  readonly resources: readonly { readonly uid: string }[];
  readonly status_code: string;
}

/** Returns the identity of a finding within an account. */
function identityOf({ metadata, finding_info, resources }: ProwlerRecord): string {
  return JSON.stringify([metadata.event_code, finding_info.uid, resources[0]?.uid ?? '']);
}

function identityOfFinding({ attributes }: Resource): string {
  const { check_id, uid, resource } = attributes;
  return JSON.stringify([check_id, uid, Reflect.get(Object(resource), 'uid') ?? '']);
}

const STATUS_ORDER = ['PASS', 'MANUAL', 'FAIL'];

/**
 * Returns the status of each finding in a file. If a finding has several records, the worst status applies
 * (docs/ingesting.md).
 */
function statuses(records: readonly ProwlerRecord[]): Map<string, string> {
  const byIdentity = new Map<string, string>();
  for (const record of records) {
    const identity = identityOf(record);
    const known = byIdentity.get(identity) ?? 'PASS';
    const worse =
      STATUS_ORDER.indexOf(record.status_code) > STATUS_ORDER.indexOf(known) ? record.status_code : known;
    byIdentity.set(identity, worse);
  }
  return byIdentity;
}

const isNot = (before: string | undefined, status: string) => before !== undefined && before !== status;

/** Returns the totals of the counts by severity in `meta.findings`. */
function totalsOf({ meta }: Ingestion): Readonly<Record<string, number>> {
  const counts = meta.findings as Readonly<Record<string, Readonly<Record<string, number>>>>;
  return Object.fromEntries(
    Object.entries(counts).map(([name, bySeverity]) => [
      name,
      Object.values(bySeverity).reduce((sum, count) => sum + count, 0),
    ]),
  );
}

const environment = await pythonEnvironment('prowler');

describe('Prowler scans of an AWS account', {
  skip: typeof environment === 'string' && environment,
}, () => {
  const { program } = environment as PythonEnvironment;
  let service: SharedService;
  let client: Client;
  let moto: StartedProcess;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let first: readonly ProwlerRecord[];
  let firstJob: Ingestion;
  let secondFile: readonly ProwlerRecord[];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-prowler-'));
    moto = startProcess(program('moto_server'), ['-H', '127.0.0.1', '-p', '0']);
    const [, endpoint = ''] = await moto.printed(/Running on (http:\/\/127\.0\.0\.1:\d+)/);
    env = {
      PATH: process.env.PATH,
      HOME: folder,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'testing',
      AWS_SECRET_ACCESS_KEY: 'testing',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_EC2_METADATA_DISABLED: 'true',
      PROWLER_CLOUD_API_BASE_URL: service.url,
      PROWLER_CLOUD_API_KEY: service.key,
    };
    await aws('create');
    first = await scan('first');
    firstJob = await newestJob();
  });
  after(async () => {
    moto?.signalGroup('SIGTERM');
    await service?.leave();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const aws = async (command: 'create' | 'change' | 'change-buckets') => {
    const { code, stderr } = await run(program('python'), [AWS_ACCOUNT, command], { env });
    assert.equal(code, 0, stderr);
  };
  /** Scans the account and pushes the findings. Returns the records of the file. */
  const scan = async (
    name: string,
    services: readonly string[] = SERVICES,
  ): Promise<readonly ProwlerRecord[]> => {
    const args = ['aws', '--region', 'us-east-1', '--services', ...services, '--output-formats', 'json-ocsf'];
    const outputs = ['--output-directory', folder, '--output-filename', name, '--no-banner', '--no-color'];
    const { code, stdout, stderr } = await run(program('prowler'), [...args, ...outputs, '--push-to-cloud'], {
      env,
    });
    assert.equal(code, 3, `${stdout}\n${stderr}`);
    return JSON.parse(await readFile(path.join(folder, `${name}.ocsf.json`), 'utf8'));
  };
  const newestJob = async (): Promise<Ingestion> => {
    const { body } = await client.get<Ingestion[]>('/ingestions?sort=-inserted_at&page[size]=1');
    return await client.ended(body.data[0]?.id ?? assert.fail('no job'));
  };
  const findings = async (query: string): Promise<readonly Resource[]> => {
    const page = await client.get<Resource[]>(`/findings?page[size]=1000&page[after]=&${query}`);
    assert.equal(page.status, 200, page.text);
    return (await walkPages(service, page, 'next')).flatMap(({ body }) => body.data);
  };

  it('the service ingests all records of a Prowler scan', async (context) => {
    context.diagnostic(`${first.length} records`);
    assert.ok(first.length > 100, `${first.length} records`);
    const { status, summary } = firstJob.attributes;
    assert.deepEqual(
      [status, summary],
      ['completed', { total: first.length, processed: first.length, invalid: 0 }],
    );
    const { bytes } = await client.file(firstJob.id);
    assert.deepEqual(JSON.parse(bytes.toString()), first);
    const listed = await findings('');
    const actual = new Map(
      listed.map((finding) => [identityOfFinding(finding), String(finding.attributes.status)]),
    );
    assert.equal(listed.length, actual.size);
    assert.deepEqual(actual, statuses(first));
  });

  it('the API returns the original record of each finding of a Prowler scan', async () => {
    const byIdentity = Map.groupBy(first, identityOf);
    const listed = await findings('fields[findings]=uid,check_id,resource');
    for (const finding of listed.filter((_, index) => index % 10 === 0)) {
      const { body } = await client.get<Resource>(`/findings/${finding.id}`);
      const records = byIdentity.get(identityOfFinding(finding)) ?? [];
      const raw = JSON.stringify(body.data.attributes.raw);
      assert.ok(
        records.some((record) => JSON.stringify(record) === raw),
        raw,
      );
    }
  });

  it('the service reports the same new and changed findings as a comparison of two Prowler files', async (context) => {
    await aws('change');
    secondFile = await scan('second');
    const second = statuses(secondFile);
    const job = await newestJob();
    assert.equal(job.attributes.status, 'completed');
    const before = statuses(first);
    const isNew = [...second.keys()].filter((identity) => !before.has(identity));
    const isChanged = [...second].flatMap(([identity, status]) =>
      before.has(identity) && before.get(identity) !== status ? [identity] : [],
    );
    context.diagnostic(`${isNew.length} new, ${isChanged.length} changed`);
    assert.ok(isNew.length > 0 && isChanged.length > 0);
    const findingsWithDelta = async (delta: string) => {
      const listed = await findings(`filter[ingestion]=${job.id}&filter[delta]=${delta}`);
      return listed.map(identityOfFinding).sort();
    };
    assert.deepEqual(await findingsWithDelta('new'), isNew.sort());
    assert.deepEqual(await findingsWithDelta('changed'), isChanged.sort());
  });

  it('the service counts the same changes as a comparison of three Prowler files, the last with only one service', async (context) => {
    await aws('change-buckets');
    const third = await scan('third', ['s3']);
    const uploads = [
      { records: first, coverage: 'account' },
      { records: secondFile, coverage: 'account' },
      { records: third, coverage: 'checks' },
    ] as const;
    const { body: providers } = await client.get<Resource[]>('/providers');
    const { body: other } = await client.get<Resource[]>(`/findings?filter[service]=iam&page[size]=1`);
    assert.ok(other.meta.pagination.count > 0);
    await client.send(`/providers/${providers.data[0]?.id}`, { method: 'DELETE' });
    let before = new Map<string, string>();
    for (const { records, coverage } of uploads) {
      const job = await client.ingest(records, { parts: { coverage } });
      const now = statuses(records);
      const checks = new Set(records.map(({ metadata }) => metadata.event_code));
      const isCovered = (identity: string) => coverage === 'account' || checks.has(JSON.parse(identity)[0]);
      const gone = [...before.keys()].filter((identity) => !now.has(identity) && isCovered(identity));
      const isFailed = (identity: string) => now.get(identity) === 'FAIL';
      const isNew = (identity: string) => !before.has(identity);
      const isRegressed = (identity: string) => isFailed(identity) && isNot(before.get(identity), 'FAIL');
      const isFixed = (identity: string) => now.get(identity) === 'PASS' && before.get(identity) === 'FAIL';
      const inFile = [...now.keys()];
      const expected = {
        new: inFile.filter(isNew),
        regressed: inFile.filter(isRegressed),
        fixed: inFile.filter(isFixed),
        unchanged: inFile.filter((id) => !isNew(id) && !isRegressed(id) && !isFixed(id)),
        resolved: gone,
        reopened: [],
      };
      const { body: scans } = await client.get<Resource[]>(`/scans?filter[ingestion]=${job.id}`);
      assert.equal(scans.data.length, 1);
      for (const [change, identities] of Object.entries(expected)) {
        const listed = await findings(`filter[${change}_in]=${job.id}&filter[state]=open,resolved`);
        assert.deepEqual(listed.map(identityOfFinding).sort(), identities.toSorted(), change);
        assert.equal(scans.data[0]?.attributes[change], identities.length, change);
      }
      assert.deepEqual(totalsOf(job), {
        ...Object.fromEntries(
          Object.entries(expected).map(([change, identities]) => [change, identities.length]),
        ),
        failed: inFile.filter(isFailed).length,
        newly_failed: inFile.filter((id) => isFailed(id) && (isNew(id) || isRegressed(id))).length,
      });
      context.diagnostic(
        Object.entries(expected)
          .map(([name, ids]) => `${ids.length} ${name}`)
          .join(', '),
      );
      before = new Map([...before, ...now].filter(([identity]) => !gone.includes(identity)));
      const open = await findings('');
      assert.deepEqual(
        new Map(open.map((one) => [identityOfFinding(one), String(one.attributes.status)])),
        before,
      );
    }
  });
});
