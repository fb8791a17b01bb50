import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  makeScanFolder,
  type ScanFolder,
  type ScannedOrganization,
} from '../../../scanner/test/cli/scan-folder.ts';
import { createClient } from '../support/client.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { readStored } from '../support/stored-frames.ts';
import {
  filesBelow,
  findingsIn,
  findingsOfFile,
  runScan,
  type ScanRunOptions,
  temporaryOf,
} from './support/scan-run.ts';
import { JOB_ID, pending, startStandInService, uploadedFile } from './support/stand-in-service.ts';

const KEY = 'the-key-of-a-stand-in';
const PUBLIC_URL = 'https://findings.example.com/of/sluice';

describe('the reference client: successful pushes (specification, items 1 to 4)', () => {
  const sandbox = createSandbox();
  let service: Service;
  let scans: ScanFolder;
  let mixed: ScannedOrganization;
  before(async () => {
    [service, scans] = await Promise.all([sandbox.startService({ SLUICE_WORKERS: '1' }), makeScanFolder()]);
    mixed = await scans.organization({ organization: 'mixed' });
  });
  after(async () => {
    await Promise.all([sandbox.clear(), scans.remove()]);
  });

  const run = (words: readonly string[], options?: ScanRunOptions) => runScan(scans, mixed, words, options);
  const pushTo = (url: string, key: string, words: readonly string[] = [], own: ScanRunOptions = {}) =>
    run(['--push-to-cloud', ...words], {
      ...own,
      env: { SCANNER_CLOUD_API_KEY: key, SCANNER_CLOUD_API_BASE_URL: url, ...own.env },
    });
  /** Returns the stored file of the job whose ID the scan printed. */
  const storedOf = async (stdout: string) => {
    const id = /^ {2}Ingestion job: (\S+)$/m.exec(stdout)?.[1] ?? '';
    return await readStored(service, await createClient(service.url, service.key).ended(id));
  };

  it('uploads scan results with --push-to-cloud after the scan completes', async (t) => {
    const { emulator } = mixed;
    const requestCount = () => emulator.requests.length + emulator.tokenRequests.length;
    const before = requestCount();
    let folder = '';
    const atUpload: unknown[] = [];
    const standIn = await startStandInService(t, {
      onUpload: async (upload) => {
        const written = await filesBelow(path.join(folder, 'results'));
        atUpload.push([requestCount(), written.map((file) => path.relative(folder, file))]);
        return pending(findingsIn(await uploadedFile(upload)).length);
      },
    });
    const starting = (itsFolder: string) => {
      folder = itsFolder;
    };
    const { code, results } = await pushTo(standIn.url, KEY, [], { starting });
    assert.equal(code, 3);
    assert.ok(requestCount() > before);
    assert.deepEqual(atUpload, [[requestCount(), results]]);
    assert.deepEqual(results, [
      'results/compliance/scan_cis_controls_8.1.csv',
      'results/compliance/scan_directory_idaas_stig_v1r2.csv',
      'results/scan.csv',
      'results/scan.html',
      'results/scan.ocsf.json',
    ]);
  });

  itInWholeRun('uploads nothing without --push-to-cloud, regardless of the environment', async (t) => {
    const standIn = await startStandInService(t);
    const env = { SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: standIn.url };
    const { code, stdout, stderr, temporary } = await run(['-M', 'csv'], { env });
    assert.deepEqual([code, temporary, standIn.received.length], [3, [], 0]);
    assert.doesNotMatch(stdout + stderr, /push|ingestion/i);
  });

  it('sends the API key in SCANNER_CLOUD_API_KEY with every push request, and writes it nowhere else', async (t) => {
    const standIn = await startStandInService(t);
    const { stdout, stderr, folder } = await pushTo(standIn.url, ` ${KEY}\n`);
    assert.equal(standIn.received.at(-1)?.method, 'POST');
    for (const { headers } of standIn.received) assert.equal(headers.authorization, `Api-Key ${KEY}`);
    assert.ok(!(stdout + stderr).includes(KEY));
    for (const file of await filesBelow(folder)) assert.ok(!(await readFile(file, 'utf8')).includes(KEY));
  });

  itInWholeRun('pushes to the service at SCANNER_CLOUD_API_BASE_URL', async (t) => {
    const standIn = await startStandInService(t);
    const { stderr } = await pushTo(`${standIn.url.replace('http://', '')}/api/v1//`, KEY);
    assert.match(stderr, new RegExp(`^Pushing \\S+ to ${standIn.url}$`, 'm'));
    assert.equal(standIn.received.at(-1)?.target, '/api/v1/ingestions');
    assert.equal(standIn.received.at(-1)?.headers.host, new URL(standIn.url).host);
  });

  it('pushes to a local service if SCANNER_CLOUD_API_BASE_URL is missing or empty', async (t) => {
    // The stand-in acts as a proxy that records request targets without forwarding the requests.
    const standIn = await startStandInService(t);
    const address = 'http://127.0.0.1:8080';
    const env = { SCANNER_CLOUD_API_KEY: KEY, HTTP_PROXY: standIn.url };
    for (const own of [{}, { SCANNER_CLOUD_API_BASE_URL: ' ' }]) {
      const { stderr } = await run(['--push-to-cloud'], { env: { ...env, ...own } });
      assert.match(stderr, new RegExp(`^Pushing \\S+ to ${address}$`, 'm'));
    }
    assert.deepEqual(
      new Set(standIn.received.map(({ target }) => new URL(target).origin)),
      new Set([address]),
    );
  });

  it('uploads the existing OCSF file if the default or selected output formats include OCSF', async (t) => {
    let folder = '';
    const temporary: string[] = [];
    const standIn = await startStandInService(t, {
      onUpload: async (upload) => {
        temporary.push(...(await filesBelow(temporaryOf(folder))));
        const file = await readFile(path.join(folder, 'results/scan.ocsf.json'));
        return pending((await uploadedFile(upload)).equals(file) ? 1 : 0);
      },
    });
    const starting = (itsFolder: string) => {
      folder = itsFolder;
    };
    for (const formats of [[], ['-M', 'json-ocsf']]) {
      const { stdout } = await pushTo(standIn.url, KEY, formats, { starting });
      assert.match(stdout, /^Results: pushed, 1 record$/m);
    }
    assert.deepEqual(temporary, []);
  });

  it('stores a pushed file byte for byte in the service', async () => {
    for (const formats of isWholeRun ? [[], ['-M', 'json-ocsf'], ['-M', 'csv', 'json-ocsf']] : [[]]) {
      const { folder, stdout, temporary } = await pushTo(service.url, service.key, formats);
      const file = await readFile(path.join(folder, 'results/scan.ocsf.json'));
      assert.ok((await storedOf(stdout)).content.equals(file), 'the stored file differs from the local file');
      assert.deepEqual(temporary, []);
    }
  });

  it('uploads an OCSF file from the system temporary directory if the selected output formats exclude OCSF', async (t) => {
    let folder = '';
    const found: unknown[] = [];
    const standIn = await startStandInService(t, {
      onUpload: async (upload) => {
        const files = await filesBelow(temporaryOf(folder));
        for (const file of files) {
          const { mode } = await stat(path.dirname(file));
          const isSame = (await uploadedFile(upload)).equals(await readFile(file));
          found.push({ name: path.basename(file), others: mode & 0o077, isSame });
        }
        return pending(1);
      },
    });
    const starting = (itsFolder: string) => {
      folder = itsFolder;
    };
    const { results } = await pushTo(standIn.url, KEY, ['-M', 'csv'], { starting });
    // The file is in a folder that other users cannot access.
    assert.deepEqual(found, [{ name: 'scan.ocsf.json', others: 0, isSame: true }]);
    assert.deepEqual(results, [
      'results/compliance/scan_cis_controls_8.1.csv',
      'results/compliance/scan_directory_idaas_stig_v1r2.csv',
      'results/scan.csv',
    ]);
  });

  it('uploads a temporary file with the same findings as the OCSF file, and removes it after a successful push', async () => {
    const { stdout, stderr, temporary } = await pushTo(service.url, service.key, ['-M', 'csv', 'html']);
    const { folder } = await run(['-M', 'json-ocsf']);
    assert.deepEqual(
      findingsIn((await storedOf(stdout)).content),
      await findingsOfFile(path.join(folder, 'results/scan.ocsf.json')),
    );
    assert.deepEqual(temporary, []);
    assert.doesNotMatch(stderr, /The OCSF results/);
  });

  it('prints the ingestion job ID and a link to the scans list after a successful push', async () => {
    const { code, stdout, stderr } = await pushTo(service.url, service.key);
    assert.equal(code, 3);
    const [, id = '', link = ''] =
      /\nResults: pushed, 115 records\n {2}Ingestion job: (\S+)\n {2}Scans: (\S+)\n$/.exec(stdout) ?? [];
    const newest = 'select id from ingestions order by requested_at desc limit 1';
    assert.deepEqual(await service.sql(newest), [{ id }]);
    assert.equal(link, `${service.url}/scans`);
    assert.equal((await fetch(link)).status, 200);
    assert.doesNotMatch(stderr, /skipped|failed|not be pushed/i);
  });

  itInWholeRun(
    'prints the scans link that the service returns if the service has a public URL',
    async (t) => {
      const publicService = await sandbox.startService({
        SLUICE_WORKERS: '1',
        SLUICE_PUBLIC_URL: PUBLIC_URL,
      });
      const { stdout } = await pushTo(publicService.url, publicService.key);
      assert.match(stdout, new RegExp(`\n {2}Scans: ${PUBLIC_URL}/scans\n$`));
      assert.equal((await fetch(`${publicService.url}/scans`)).status, 200);
      const standIn = await startStandInService(t);
      const elsewhere = await pushTo(standIn.url, KEY);
      assert.match(
        elsewhere.stdout,
        new RegExp(`\n {2}Ingestion job: ${JOB_ID}\n {2}Scans: ${standIn.url}/scans\n$`),
      );
    },
  );
});
