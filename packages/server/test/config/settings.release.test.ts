import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient, type Ingestion } from '../support/client.ts';
import { createTenantKey } from '../support/deployment.ts';
import { record } from '../support/records.ts';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Environment, Service } from '../support/service.ts';

const SECRET = 'hush-hush-hush';
const VARIABLES = ['DATABASE_URL_FILE', 'AWS_ACCESS_KEY_ID_FILE', 'AWS_SECRET_ACCESS_KEY_FILE'];
/** Nothing listens on this port, so a start with otherwise valid settings fails to connect. */
const UNREACHABLE = `postgres://sluice:${SECRET}@127.0.0.1:1/findings`;

describe('settings of sluice serve', { concurrency: 4 }, () => {
  const sandbox = createSandbox();
  let folder: string;
  before(async () => {
    folder = await sandbox.newDataDir();
  });
  after(() => sandbox.clear());

  /** Creates a file with this content. */
  const fileOf = async (name: string, content: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, content, { mode: 0o600 });
    return file;
  };
  /** Returns the one-line error with which `sluice serve` rejects these settings. */
  const rejection = async (own: Environment): Promise<string> => {
    const { code, stdout, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], own);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^sluice: [^\n]+\n$/);
    assert.ok(!stderr.includes(SECRET), 'a secret was printed');
    return stderr.slice('sluice: '.length, -1);
  };

  it('reports all invalid settings at once, including contradictory settings', async () => {
    const line = await rejection({
      DATABASE_URL: 'mysql://127.0.0.1/sluice',
      SLUICE_BLOB_STORE: 's3://a-bucket/../b?c',
      SLUICE_DEFAULT_PAGE_SIZE: '50',
      SLUICE_MAX_PAGE_SIZE: '20',
      SLUICE_TRUSTED_PROXIES: '10.0.0.0/8, proxy',
      SLUICE_UPLOAD_MAX_HOURS: '21',
      SLUICE_IDLE_SECONDS: '60',
    });
    assert.deepEqual(line.split('; ').sort(), [
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
      'SLUICE_BLOB_STORE must not have a query or a fragment',
      "SLUICE_DEFAULT_PAGE_SIZE must be at most SLUICE_MAX_PAGE_SIZE (20), not '50'",
      "SLUICE_IDLE_SECONDS must be more than SLUICE_UPLOAD_PACE_SECONDS (60), not '60'",
      "SLUICE_TRUSTED_PROXIES must be comma-separated addresses or ranges such as 10.0.0.0/8, not 'proxy'",
      "SLUICE_UPLOAD_MAX_HOURS must be a number from 0.0001 to 20, not '21'",
    ]);
  });

  for (const { description, content, message } of [
    {
      description: 'does not exist',
      content: undefined,
      message: 'must be the path of a readable file: no such file or directory',
    },
    { description: 'is empty', content: '', message: 'must be the path of a file that is not empty' },
    {
      description: 'contains only a line break',
      content: '\n',
      message: 'must be the path of a file that is not empty',
    },
    {
      description: 'has several lines',
      content: `${SECRET}\n${SECRET}\n`,
      message: 'must be the path of a file with a single line',
    },
  ])
    for (const variable of VARIABLES)
      it(`rejects ${variable} if its file ${description}`, async () => {
        const name = `${variable} that ${description}`;
        const file = content === undefined ? path.join(folder, SECRET) : await fileOf(name, content);
        const [line] = (await rejection({ [variable]: file })).split('; ');
        assert.equal(line, `${variable} ${message}`);
      });

  it('rejects a folder as a secret file', async () => {
    await mkdir(path.join(folder, 'folder'));
    assert.equal(
      await rejection({ DATABASE_URL_FILE: path.join(folder, 'folder') }),
      'DATABASE_URL_FILE must be the path of a readable file: illegal operation on a directory',
    );
  });

  it('rejects a secret that is set both directly and in a file', async () => {
    const DATABASE_URL_FILE = await fileOf('both', UNREACHABLE);
    assert.equal(
      await rejection({ DATABASE_URL: UNREACHABLE, DATABASE_URL_FILE }),
      'DATABASE_URL and DATABASE_URL_FILE are both set; set only one of them',
    );
  });

  it('names the DATABASE_URL_FILE variable if the file does not contain a database URL', async () => {
    assert.equal(
      await rejection({ DATABASE_URL_FILE: await fileOf('wrong', SECRET) }),
      'the content of DATABASE_URL_FILE must be a URL that starts with postgres:// or postgresql://',
    );
  });

  it('rejects a file with one S3 key if the other key is not set', async () => {
    assert.equal(
      await rejection({ AWS_SECRET_ACCESS_KEY_FILE: await fileOf('alone', SECRET) }),
      'AWS_ACCESS_KEY_ID or AWS_ACCESS_KEY_ID_FILE must be set, because the other S3 key is read from a file',
    );
  });

  it('reads DATABASE_URL from a file that ends in a line break, even if DATABASE_URL is blank', async () => {
    const DATABASE_URL_FILE = await fileOf('database', `${UNREACHABLE}\r\n`);
    assert.match(
      await rejection({ DATABASE_URL: '', DATABASE_URL_FILE }),
      /^cannot connect to the database 127\.0\.0\.1:1\/findings in DATABASE_URL: /,
    );
  });
});

describe('a service with secrets in files', () => {
  const sandbox = createSandbox();
  let s3: S3Server;
  let service: Service;
  const requestKeys = new Set<string>();
  before(async () => {
    s3 = await startS3Server();
    s3.proxy.rule = ({ headers }) => {
      requestKeys.add(/Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? 'none');
      return undefined;
    };
    const folder = await sandbox.newDataDir();
    const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', ...others } = s3.environment;
    const files = {
      AWS_ACCESS_KEY_ID_FILE: path.join(folder, 'id'),
      AWS_SECRET_ACCESS_KEY_FILE: path.join(folder, 'secret'),
    };
    await writeFile(files.AWS_ACCESS_KEY_ID_FILE, `${AWS_ACCESS_KEY_ID}\n`);
    await writeFile(files.AWS_SECRET_ACCESS_KEY_FILE, AWS_SECRET_ACCESS_KEY);
    service = await sandbox.startService({
      ...others,
      ...files,
      LOG_LEVEL: 'trace',
      SLUICE_UPLAODS_AT_ONCE: 'not shown',
      SLUICE_LOG_LEVEL: 'debug',
      SLUICE_ANYTHING_ELSE: '',
      SLUICE_TEST_OPTIONS: '',
      SLUICE_SERVICE_HOST: '10.0.0.1',
      SLUICE_SERVICE_PORT_HTTP: '8080',
      SLUICE_PORT: 'tcp://10.0.0.1:8080',
      SLUICE_PORT_8080_TCP_ADDR: '10.0.0.1',
    });
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
  });

  it('reads the S3 keys from files and uses them in every thread', async () => {
    const client = createClient(service.url, service.key || (await createTenantKey(service)));
    const job = await client.ingest([record()]);
    assert.deepEqual(job.attributes.summary, { total: 1, processed: 1, invalid: 0 });
    const file = await client.get<Ingestion>(`/ingestions/${job.id}`);
    assert.equal(file.status, 200);
    assert.deepEqual([...requestKeys], [S3_SECRETS[0]]);
    const text = service.output.stdout + service.output.stderr;
    for (const secret of S3_SECRETS) assert.ok(!text.includes(secret), 'the log contains a secret');
  });

  it('warns about unknown SLUICE_ variables, suggests the most similar setting, and omits the values', () => {
    const warnings = service.output.stderr
      .split('\n')
      .filter((line) => line.includes('is not a setting'))
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      warnings.map(({ level, msg }) => [level, msg]),
      [
        ['warn', 'SLUICE_UPLAODS_AT_ONCE is not a setting; did you mean SLUICE_UPLOADS_AT_ONCE?'],
        ['warn', 'SLUICE_LOG_LEVEL is not a setting; did you mean LOG_LEVEL?'],
        ['warn', 'SLUICE_ANYTHING_ELSE is not a setting'],
      ],
    );
    assert.doesNotMatch(service.output.stderr, /not shown/);
  });
});
