import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { MAX_FAILURES, MAX_INTERRUPTIONS } from '../../../src/ingest/worker/attempt-frame.ts';
import { type Client, createClient } from '../../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../../support/deployment.ts';
import { isWholeRun, itInWholeRun } from '../../support/is-whole-run.ts';
import type { StartedProcess } from '../../support/process.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const findings = (uid: string, count: number) =>
  Array.from({ length: count }, (_, at) => record({ finding_info: { uid: `${uid}-${at}` } }));

describe('a frame that cannot be processed', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let api: Service;
  let client: Client;
  const workers: StartedProcess[] = [];
  before(async () => {
    deployment = await createDeployment(sandbox);
    api = await deployment.startApi();
  });
  beforeEach(async () => {
    client = createClient(api.url, await createTenantKey(api));
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.signalGroup('SIGKILL');
      await worker.exited;
    }
    await api.sql('drop trigger if exists trap on findings');
  });
  after(() => sandbox.clear());

  const startWorker = async () => {
    const worker = await deployment.startWorker();
    workers.push(worker);
    return worker;
  };

  const accepted = async (records: readonly unknown[]) => {
    const { status, body } = await client.upload(records);
    assert.equal(status, 202);
    return body.data.id;
  };
  const attemptsOf = async (id: string) => {
    const [attempts] = await api.sql<{ failures: number; interruptions: number; is_begun: boolean }>(
      'select failures, interruptions, is_begun from frames where ingestion_id = $1 order by number limit 1',
      [id],
    );
    return attempts ?? assert.fail();
  };
  const wasInterruptedBefore = (id: string, interruptions: number) =>
    api.sql('update frames set interruptions = $2 where ingestion_id = $1', [id, interruptions]);
  /** Creates a trigger that runs this statement whenever a finding with this uid is inserted. */
  const addTrigger = async (uid: string, body: string) => {
    await api.sql(`create or replace function trap() returns trigger language plpgsql security definer as $$
      begin if new.uid like '${uid}-%' then ${body} end if; return new; end $$`);
    await api.sql(
      'create or replace trigger trap before insert on findings for each row execute function trap()',
    );
  };
  const assertGivenUp = async (id: string, total: number, detail: RegExp) => {
    const { attributes } = await client.ended(id);
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['failed', { total, processed: total, invalid: total }],
    );
    const { errors, counts } = await client.errors(id);
    assert.deepEqual(counts, { processing_failed: total });
    assert.match(errors[0]?.detail ?? '', detail);
  };

  it('gives up on a frame that repeatedly kills its process, and processes other frames in the meantime', async () => {
    await addTrigger('poison', 'perform pg_sleep(600);');
    const failing = await accepted(findings('poison', 3));
    await wasInterruptedBefore(failing, MAX_INTERRUPTIONS - 1);
    const others = [await accepted(findings('beside', 3)), await accepted(findings('later', 3))];
    const worker = await startWorker();
    await until(async () => (await attemptsOf(failing)).is_begun);
    for (const id of others) assert.equal((await client.ended(id)).attributes.status, 'completed');
    assert.equal((await attemptsOf(failing)).interruptions, MAX_INTERRUPTIONS - 1);
    worker.signalGroup('SIGKILL');
    await worker.exited;
    await startWorker();
    await assertGivenUp(
      failing,
      3,
      /^Records 0 to 2 could not be processed after 0 internal errors and 20 interruptions\./,
    );
  });

  itInWholeRun(
    'delays a frame longer after each lost connection, while other frames are processed',
    async () => {
      await addTrigger('poison', 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60);');
      const failing = await accepted(findings('poison', 3));
      const worker = await startWorker();
      await until(async () => (await attemptsOf(failing)).interruptions >= 3);
      for (let uploads = 0; uploads < 3; uploads++)
        assert.equal((await client.ingest(findings(`other-${uploads}`, 2))).attributes.status, 'completed');
      assert.match(
        worker.output.stderr,
        /"interruptions":2,"pauseMs":\d+,.*a frame was interrupted repeatedly/,
      );
      await wasInterruptedBefore(failing, MAX_INTERRUPTIONS - 1);
      await api.sql('update frames set is_begun = true where ingestion_id = $1', [failing]);
      await api.sql('update frame_queue set available_at = now()');
      await assertGivenUp(failing, 3, /and \d+ interruptions\./);
    },
  );

  itInWholeRun('limits the attempts to process a frame whose findings the database rejects', async () => {
    await addTrigger('refused', "raise exception 'this is a test';");
    const rejected = await accepted([...findings('refused', 1), ...findings('good', 2)]);
    const large = await accepted(findings('others', 12_000));
    const worker = await startWorker();
    await assertGivenUp(rejected, 3, new RegExp(`after ${MAX_FAILURES} internal errors and 0 interruptions`));
    assert.equal((await client.ended(large)).attributes.status, 'completed');
    const logLines = worker.output.stderr.match(/a frame could not be processed/g) ?? [];
    assert.equal(logLines.length, MAX_FAILURES);
    assert.match(worker.output.stderr, /this is a test/);
  });

  itInWholeRun('retries a frame until unrelated faults end, without blocking other frames', async () => {
    const cases: readonly (readonly [string, { failures: number; interruptions: number }])[] = [
      ['53200', { failures: 0, interruptions: 0 }],
      ['58030', { failures: 0, interruptions: 0 }],
      ['25006', { failures: 0, interruptions: 0 }],
      ['40P01', { failures: 0, interruptions: 1 }],
      ['57014', { failures: 0, interruptions: 1 }],
      ['53400', { failures: 0, interruptions: 1 }],
    ];
    await addTrigger('code', `raise exception 'a test' using errcode = split_part(new.uid, '-', 2);`);
    const ids: string[] = [];
    for (const [code] of cases) ids.push(await accepted(findings(`code-${code}`, 2)));
    const unaffected = await accepted(findings('beside', 2));
    const worker = await startWorker();
    assert.equal((await client.ended(unaffected)).attributes.status, 'completed');
    for (const [at, [code, least]] of cases.entries()) {
      await until(async () => worker.output.stderr.includes(`"code":"${code}"`));
      const { failures, interruptions } = await until(async () => {
        const attempts = await attemptsOf(ids[at] ?? '');
        return attempts.interruptions >= least.interruptions && attempts;
      });
      assert.deepEqual([code, failures], [code, least.failures]);
      if (least.interruptions === 0) assert.deepEqual([code, interruptions], [code, 0]);
    }
    assert.doesNotMatch(worker.output.stderr, /a frame could not be processed/);
    await api.sql('drop trigger trap on findings');
    await api.sql('update frame_queue set available_at = now()');
    for (const id of ids) assert.equal((await client.ended(id)).attributes.status, 'completed');
  });

  itInWholeRun('counts the loss of the second connection as an interruption of the frame', async () => {
    await api.sql(`create or replace function trap() returns trigger language plpgsql security definer as $$
      begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60); return new; end $$`);
    await api.sql('create trigger trap before insert on providers for each row execute function trap()');
    const id = await accepted(findings('side', 2));
    await startWorker();
    const { failures } = await until(async () => {
      const attempts = await attemptsOf(id);
      return attempts.failures + attempts.interruptions >= 2 && attempts;
    });
    assert.equal(failures, 0);
    await api.sql('drop trigger trap on providers');
    await api.sql('update frame_queue set available_at = now()');
    assert.equal((await client.ended(id)).attributes.status, 'completed');
  });

  if (isWholeRun)
    it('does not give up on a frame whose workers are killed for other reasons', async () => {
      await addTrigger('slow', 'perform pg_sleep(0.5);');
      const id = await accepted(findings('slow', 3));
      for (let kills = 0; kills < 2; kills++) {
        const worker = await startWorker();
        await until(async () => (await attemptsOf(id)).is_begun);
        worker.signalGroup('SIGKILL');
        await worker.exited;
      }
      await startWorker();
      assert.equal((await client.ended(id)).attributes.status, 'completed');
      assert.deepEqual((await attemptsOf(id)).failures, 0);
      assert.ok((await attemptsOf(id)).interruptions >= 1);
    });
});
