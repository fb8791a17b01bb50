import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../support/client.ts';
import { createDeployment, createTenantKey } from '../support/deployment.ts';
import { openSocket } from '../support/open-request.ts';
import type { StartedProcess } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Line = Readonly<Record<string, unknown>>;

describe('the log', () => {
  const sandbox = createSandbox();
  let api: Service;
  let worker: StartedProcess;
  let key: string;
  let client: Client;
  before(async () => {
    const deployment = await createDeployment(sandbox);
    api = await deployment.startApi({ LOG_LEVEL: 'debug' });
    worker = await deployment.startWorker({ LOG_LEVEL: 'debug' });
    key = await createTenantKey(api);
    client = createClient(api.url, key);
  });
  after(() => sandbox.clear());

  /** The log lines from both processes that contain this text. */
  const linesWith = (text: string): Line[] =>
    [api.output.stderr, worker.output.stderr]
      .join('')
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line): Line => JSON.parse(line));
  /** Waits, because log lines may be written after the response. */
  const waitForLinesWith = async (text: string) =>
    await until(async () => {
      const lines = linesWith(text);
      return lines.length > 0 && lines;
    });
  const message = (lines: readonly Line[], text: string) => lines.filter(({ msg }) => msg === text);

  it("uses the client's request ID if the ID is safe, and returns it in every response", async () => {
    for (const id of ['a', 'ci-run.7_B', 'x'.repeat(128)]) {
      const { headers } = await client.get('/ingestions', { 'x-request-id': id });
      assert.equal(headers.get('x-request-id'), id);
    }
    for (const id of ['', ' ', 'a b', '"a"', 'a,b', 'é', 'x'.repeat(129), key, `run-${key}`]) {
      const { headers } = await client.get('/ingestions', { 'x-request-id': id });
      assert.match(headers.get('x-request-id') ?? '', UUID, id);
    }
  });

  it('logs a request that matches no route, with the request ID from the response', async () => {
    const { status, headers } = await client.get('/%ff', { 'x-request-id': 'no-path' });
    assert.deepEqual([status, headers.get('x-request-id')], [400, 'no-path']);
    const [line] = await waitForLinesWith('no-path');
    assert.partialDeepStrictEqual(line, { level: 'info', method: 'GET', url: '/api/v1/%ff', status: 400 });
    // Log collectors parse RFC 3339 times.
    assert.match(String(line?.time), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

    const socket = await openSocket(api);
    socket.end('not HTTP\r\n\r\n');
    const [, id = ''] = /x-request-id: (\S+)/.exec(await text(socket)) ?? [];
    assert.match(id, UUID);
    assert.partialDeepStrictEqual(await waitForLinesWith(id), [
      { level: 'info', requestId: id, status: 400, code: 'bad_request' },
    ]);
  });

  it('links an upload to the end of its job by the request ID', async () => {
    const records = Array.from({ length: 5001 }, (_, at) =>
      at === 0 ? record({ class_uid: 1 }) : record({ finding_info: { uid: `finding-${at}` } }),
    );
    const { body } = await client.upload(records, { headers: { 'x-request-id': 'life-of-an-upload' } });
    await client.ended(body.data.id);
    await until(async () => message(linesWith('life-of-an-upload'), 'job ended').length > 0);

    const lines = linesWith('life-of-an-upload');
    const [request] = message(lines, 'request');
    assert.deepEqual(
      [request?.requestId, request?.method, request?.status],
      ['life-of-an-upload', 'POST', 202],
    );
    const tenantId = message(lines, 'upload accepted')[0]?.tenantId;
    const ids = { requestId: 'life-of-an-upload', tenantId, ingestionId: body.data.id };
    const frames = message(lines, 'frame processed');
    assert.deepEqual(frames.map(({ frame }) => frame).sort(), [0, 1]);
    assert.deepEqual(frames.map((line) => line.records).sort(), [1, 5000]);
    for (const frame of frames) assert.partialDeepStrictEqual(frame, { ...ids, level: 'debug' });
    const [job, ...others] = message(lines, 'job ended');
    assert.partialDeepStrictEqual(job, {
      ...ids,
      level: 'info',
      status: 'failed',
      records: 5001,
      invalid: 1,
    });
    assert.equal(typeof job?.seconds, 'number');
    assert.deepEqual(others, []);
  });

  it('logs the request ID of frames and records that cannot be processed, without API keys or uploaded data', async () => {
    const secret = 'seen-in-no-log';
    // Constraint violations do not quote the row if the role is subject to row level security. Other errors quote the
    // row, sometimes in the message.
    for (const [id, table, raise, line] of [
      [
        'rejected-row',
        'findings',
        `'the row is rejected' using detail = new.status_detail`,
        'a frame could not be processed',
      ],
      [
        'rejected-value',
        'findings',
        `'invalid input: "%"', new.status_detail using errcode = '22P02'`,
        'some records cannot be stored; they are reported as job errors',
      ],
      [
        'rejected-resource',
        'resources',
        `'invalid name: "%"', new.name using detail = new.uid, errcode = '22P02'`,
        'some records cannot be stored; they are reported as job errors',
      ],
    ] as const) {
      await api.sql(`create or replace function reject_row() returns trigger language plpgsql as $$
        begin raise exception ${raise}; end $$`);
      await api.sql(
        `create trigger reject before insert on ${table} for each row execute function reject_row()`,
      );
      const { body } = await client.upload(
        [record({ status_detail: secret, resources: [{ uid: `${id}-${secret}`, name: secret }] })],
        {
          headers: { 'x-request-id': id },
        },
      );
      const failures = () => message(linesWith(id), line);
      await until(async () => failures().length > 0);
      assert.partialDeepStrictEqual(failures()[0], { ingestionId: body.data.id, frame: 0, level: 'error' });
      await api.sql(`drop trigger reject on ${table}`);
      await client.ended(body.data.id);
    }
    await client.as(`${key}x`).get('/ingestions');
    const logs = api.output.stderr + worker.output.stderr;
    assert.match(logs, /the row is rejected/);
    assert.match(logs, /"code":"22P02","routine":"exec_stmt_raise"/);
    for (const each of [secret, key, key.split('.')[1] ?? assert.fail()])
      assert.ok(!logs.includes(each), 'the log contains a secret');
  });
});
