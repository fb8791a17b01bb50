import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ApiDocument, createClient, type Ingestion } from '../support/client.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { type Ended, run, type StartedProcess } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { type Service, settings } from '../support/service.ts';

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));

const records = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => record({ finding_info: { uid: `${name}-${at}` } }));

describe('`npm start` in a checkout', () => {
  const sandbox = createSandbox();
  let dataDir: string;
  let npm: StartedProcess;
  const start = async () => {
    // As in a new user's shell: the system's Node.js, not the version that npm installed.
    const PATH = (process.env.PATH ?? '')
      .split(path.delimiter)
      .filter((folder) => !folder.includes('node_modules'))
      .join(path.delimiter);
    const env = { ...settings(dataDir, {}), PATH, npm_config_update_notifier: 'false' };
    npm = sandbox.startProcess('npm', ['start'], { cwd: CHECKOUT, env });
    await npm.printed(/ready at/);
  };
  before(async () => {
    dataDir = await sandbox.newDataDir();
    await start();
  });
  after(() => sandbox.clear());

  it('prints curl commands that upload a file and show its job', async () => {
    const [upload = '', list = '', ...others] = npm.output.stdout.match(/(?<=^ *)curl .*$/gm) ?? [];
    assert.deepEqual(others, []);
    const uploaded = await run('sh', ['-c', upload], { cwd: CHECKOUT });
    assert.deepEqual([uploaded.code, uploaded.stderr], [0, '']);
    const { data }: ApiDocument<Ingestion> = JSON.parse(uploaded.stdout);
    assert.equal(data.attributes.status, 'pending');

    const [, url = ''] = await npm.printed(/ready at (\S+)/);
    const [, key = ''] = await npm.printed(/API key {2,}(\S+)/);
    await createClient(url, key).ended(data.id);
    const listed = await run('sh', ['-c', list], { cwd: CHECKOUT });
    const jobs: ApiDocument<Ingestion[]> = JSON.parse(listed.stdout);
    assert.deepEqual(
      jobs.data.map(({ id, attributes }) => [id, attributes.status]),
      [[data.id, 'completed']],
    );
  });

  it('stops all processes of `npm start` when npm receives SIGTERM', async () => {
    assert.notEqual(await postmasterOf(dataDir), undefined);
    npm.signal('SIGTERM');
    assert.equal(await npm.exited, 0);
    assert.equal(npm.groupLives(), false);
    assert.equal(await postmasterOf(dataDir), undefined);
  });

  if (isWholeRun)
    it('stops all processes of `npm start` on Ctrl-C, which sends SIGINT to the service twice', async () => {
      await start();
      npm.signalGroup('SIGINT');
      assert.equal(await npm.exited, 0);
      assert.equal(npm.groupLives(), false);
      assert.equal(await postmasterOf(dataDir), undefined);
    });
});

describe('restarting with an existing data directory', () => {
  const sandbox = createSandbox();
  let dataDir: string;
  let key: string;
  let service: Service;
  let postmaster: number | undefined;
  const client = () => createClient(service.url, key);
  const findings = async () =>
    (await service.sql<{ count: number }>('select count(*)::int from findings'))[0];
  before(async () => {
    service = await sandbox.startEmbeddedService();
    ({ dataDir, key } = service);
    await client().ingest(records(3, 'first'));
    await service.end();
  });
  after(() => sandbox.clear());

  it('keeps the data and the API key after a restart and prints no new key', async () => {
    service = await sandbox.startEmbeddedService({}, dataDir);
    assert.equal(service.output.stdout, `Sluice is ready at ${service.url}\n`);
    const { status, body } = await client().get<Ingestion[]>('/ingestions');
    assert.deepEqual([status, body.data.map(({ attributes }) => attributes.status)], [200, ['completed']]);
    assert.deepEqual(await findings(), { count: 3 });
    assert.deepEqual(await service.sql('select count(*)::int from tenants'), [{ count: 1 }]);
  });

  it('reuses the running database after the service is killed and loses no accepted upload', async () => {
    postmaster = await postmasterOf(dataDir);
    const { status, body } = await client().upload(records(10_000, 'killed'));
    await service.end('SIGKILL');
    assert.equal(status, 202);
    assert.equal(await postmasterOf(dataDir), postmaster);

    service = await sandbox.startEmbeddedService({}, dataDir);
    assert.equal(await postmasterOf(dataDir), postmaster);
    const { attributes } = await client().ended(body.data.id);
    assert.deepEqual(attributes.summary, { total: 10_000, processed: 10_000, invalid: 0 });
    assert.deepEqual(await findings(), { count: 10_003 });
  });

  itInWholeRun('resumes unfinished jobs after a clean shutdown', async () => {
    const { status, body } = await client().upload(records(20_000, 'stopped'));
    assert.equal(await service.end('SIGINT'), 0);
    assert.equal(status, 202);
    assert.equal(await postmasterOf(dataDir), undefined);

    service = await sandbox.startEmbeddedService({}, dataDir);
    const { attributes } = await client().ended(body.data.id);
    assert.deepEqual(attributes.summary, { total: 20_000, processed: 20_000, invalid: 0 });
    assert.deepEqual(await findings(), { count: 30_003 });
  });
});

describe('failed starts', () => {
  const sandbox = createSandbox();
  let service: Service;
  before(async () => {
    service = await sandbox.startEmbeddedService();
  });
  after(() => sandbox.clear());

  /** Asserts that the start failed with a one-line error, and returns the error. */
  const errorLine = ({ code, stdout, stderr }: Ended): string => {
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^sluice: [^\n]+\n$/);
    return stderr;
  };

  itInWholeRun(
    'reports that the data directory is in use and does not affect the running service',
    async () => {
      const postmaster = await postmasterOf(service.dataDir);
      const line = errorLine(await sandbox.sluice(service.dataDir, ['serve']));
      assert.ok(
        line.includes(`another 'sluice serve' is using the data directory ${service.dataDir};`),
        line,
      );
      assert.equal(await postmasterOf(service.dataDir), postmaster);
      const job = await createClient(service.url, service.key).ingest(records(1, 'second'));
      assert.equal(job.attributes.status, 'completed');
    },
  );

  itInWholeRun(
    'reports that the port is in use, stops the database and keeps the first API key for the next start',
    async () => {
      const dataDir = await sandbox.newDataDir();
      const { port } = new URL(service.url);
      const line = errorLine(await sandbox.sluice(dataDir, ['serve'], { PORT: port }));
      assert.match(
        line,
        new RegExp(`cannot listen on 127\\.0\\.0\\.1 port ${port}: the port is in use; change HOST and PORT`),
      );
      assert.equal(await postmasterOf(dataDir), undefined);

      const next = await sandbox.startEmbeddedService({}, dataDir);
      const { status } = await createClient(next.url, next.key).get('/ingestions');
      assert.equal(status, 200);
    },
  );

  if (isWholeRun)
    it('reports a HOST that cannot be resolved', async () => {
      const HOST = 'nowhere.invalid';
      const line = errorLine(await sandbox.sluice(await sandbox.newDataDir(), ['serve'], { HOST }));
      assert.match(line, /cannot listen on nowhere\.invalid port 0: .*getaddrinfo.*; change HOST and PORT/);
    });

  if (isWholeRun)
    it('reports all invalid settings at once without showing a password', async () => {
      const line = errorLine(
        await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
          PORT: 'eighty',
          LOG_LEVEL: 'loud',
          SLUICE_WORKERS: '0',
          SLUICE_UPLOAD_MAX_BYTES: '1 GiB',
          SLUICE_PUBLIC_URL: 'sluice.example.com',
          DATABASE_URL: 'mysql://root:hush@localhost/sluice',
        }),
      );
      const names = line.match(/(?<=^sluice: |; )[A-Z_]+(?= must be )/g) ?? [];
      assert.deepEqual(names.sort(), [
        'DATABASE_URL',
        'LOG_LEVEL',
        'PORT',
        'SLUICE_PUBLIC_URL',
        'SLUICE_UPLOAD_MAX_BYTES',
        'SLUICE_WORKERS',
      ]);
      assert.doesNotMatch(line, /hush/);
    });

  itInWholeRun(
    'rejects a SLUICE_ORPHAN_GRACE_HOURS value that exceeds SLUICE_UPLOAD_MAX_HOURS by less than an hour',
    async () => {
      const line = errorLine(
        await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
          SLUICE_UPLOAD_MAX_HOURS: '20',
          SLUICE_ORPHAN_GRACE_HOURS: '20',
        }),
      );
      assert.match(
        line,
        /SLUICE_ORPHAN_GRACE_HOURS must be at least one hour more than SLUICE_UPLOAD_MAX_HOURS \(20\), not '20'/,
      );
    },
  );

  if (isWholeRun)
    it('rejects a SLUICE_IDLE_SECONDS value that does not exceed the upload queue and pace timeouts', async () => {
      const line = errorLine(
        await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
          SLUICE_IDLE_SECONDS: '60',
          SLUICE_UPLOAD_QUEUE_SECONDS: '90',
        }),
      );
      assert.match(
        line,
        /SLUICE_IDLE_SECONDS must be more than SLUICE_UPLOAD_QUEUE_SECONDS \(90\), not '60'/,
      );
      assert.match(line, /SLUICE_IDLE_SECONDS must be more than SLUICE_UPLOAD_PACE_SECONDS \(60\), not '60'/);
      assert.doesNotMatch(line, /SLUICE_DOCUMENT_SECONDS/);
    });

  it('reports an unreachable database without showing a password', async () => {
    const DATABASE_URL = 'postgres://sluice:hush@127.0.0.1:1/findings';
    const line = errorLine(await sandbox.sluice(await sandbox.newDataDir(), ['serve'], { DATABASE_URL }));
    assert.match(
      line,
      /cannot connect to the database 127\.0\.0\.1:1\/findings in DATABASE_URL: .*ECONNREFUSED/,
    );
    assert.doesNotMatch(line, /hush/);
  });

  itInWholeRun('reports a data directory that is a file', async () => {
    const file = path.join(await sandbox.newDataDir(), 'file');
    await writeFile(file, '');
    const line = errorLine(await sandbox.sluice(file, ['serve']));
    assert.ok(line.includes(`cannot create the data directory ${file}`), line);
  });
});
