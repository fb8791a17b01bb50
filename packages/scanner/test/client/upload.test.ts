import assert from 'node:assert/strict';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { test } from 'node:test';
import type { Retry } from '../../src/client/index.ts';
import { page, refuse } from '../push/support/behaviors.ts';
import { accepted, JOB, limits } from '../push/support/documents.ts';
import { bigContent, CONTENT } from '../push/support/run-push.ts';
import { startService } from '../push/support/service.ts';
import { runWithClient } from './run-with-client.ts';
import { makeFile, openClient, pushError } from './support.ts';

for (const encodings of [[], ['gzip'], ['zstd']])
  test(`reports upload progress up to the file size (${encodings.join('') || 'uncompressed'})`, async (context) => {
    const content = bigContent();
    const service = await startService(context, { limits: [limits({ encodings })] });
    const progress: number[] = [];
    const { ingestion, replayed, scansUrl } = await openClient(context, service).upload(
      await makeFile(context, content),
      {
        onProgress: ({ bytes, total }) => {
          assert.equal(total, content.length);
          progress.push(bytes);
        },
      },
    );
    assert.equal(progress.at(-1), content.length);
    assert.ok(progress.length > 10);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    assert.deepEqual([ingestion.id, ingestion.status, replayed], [JOB, 'pending', false]);
    assert.equal(scansUrl, `${service.url}/scans`);
    assert.ok(service.uploads()[0]?.form?.file?.content.equals(content));
  });

test('uploads a file under a different name', async (context) => {
  const service = await startService(context);
  await openClient(context, service).upload(await makeFile(context, CONTENT), { name: 'night.ocsf.json' });
  assert.equal(service.uploads()[0]?.form?.file?.name, 'night.ocsf.json');
});

test('declares the coverage of a file', async (context) => {
  const service = await startService(context);
  const client = openClient(context, service);
  const file = await makeFile(context, CONTENT);
  for (const coverage of ['partial', 'checks', 'account'] as const) await client.upload(file, { coverage });
  assert.deepEqual(
    service.uploads().map(({ form }) => form?.parts.slice(0, -1)),
    [[], [['coverage', 'checks']], [['coverage', 'account']]],
  );
});

test('accepts further uploads after a failed upload', async (context) => {
  const service = await startService(context, {
    uploads: [refuse(500, 'No.'), refuse(403, 'No.'), accepted],
  });
  const client = openClient(context, service);
  const file = await makeFile(context, CONTENT);
  assert.equal((await pushError(client.upload(file), 'service_failed')).status, 500);
  const refused = await pushError(client.upload(file), 'permission_denied');
  assert.equal(refused.status, 403);
  assert.match(refused.message, /\(403\): No$/);
  assert.equal((await client.upload(file)).ingestion.id, JOB);
});

test('reports each upload retry before waiting', async (context) => {
  const service = await startService(context, { uploads: [page(503), accepted] });
  const retries: Retry[] = [];
  const client = openClient(context, service, { maxRetries: 1, onRetry: (retry) => retries.push(retry) });
  await client.upload(await makeFile(context, CONTENT));
  const [retry, ...more] = retries;
  assert.deepEqual(more, []);
  assert.equal(retry?.request, 'POST /api/v1/ingestions');
  assert.equal(retry.reason, 'the response was 503');
  assert.ok(retry.waitSeconds > 0);
});

for (const encodings of [[], ['gzip']])
  test(`rejects a file that grows during the upload (${encodings.join('') || 'uncompressed'})`, async (context) => {
    const service = await startService(context, { limits: [limits({ encodings })] });
    const file = await makeFile(context, bigContent());
    let grown: Promise<void> | undefined;
    const upload = openClient(context, service).upload(file, {
      onProgress: () => {
        grown ??= appendFile(file, 'more');
      },
    });
    assert.match(
      (await pushError(upload, 'file_changed')).message,
      /changed during the push; push it again when/,
    );
    await grown;
    assert.equal(service.uploads()[0]?.form, undefined);
  });

test('reports an unreadable file before sending anything', async (context) => {
  const service = await startService(context);
  const client = openClient(context, service);
  const file = await makeFile(context, '');
  assert.match((await pushError(client.upload(file), 'file_empty')).message, /a\.ocsf\.json is empty$/);
  await rm(file);
  await pushError(client.upload(file), 'file_unreadable');
  await mkdir(file);
  assert.match(
    (await pushError(client.upload(file), 'file_unreadable')).message,
    /is a folder; specify its files$/,
  );
  assert.equal(service.requests.length, 0);
});

test('does not change process flags when a client uploads a file', async (context) => {
  const service = await startService(context);
  const program = `
    const { runInNewContext } = await import('node:vm');
    await client.upload(${JSON.stringify(import.meta.filename)});
    await client.close();
    console.log(typeof globalThis.gc, runInNewContext('typeof gc'));`;
  const { code, stdout } = await runWithClient(program, service);
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'undefined undefined\n' });
});
