import { isWholeRun } from '../support/is-whole-run.ts';
import { checkTenant, digestOf } from './check-tenant.ts';
import { checkBlobs, collect, expire } from './collect.ts';
import type { FaultPoint } from './fault-point.ts';
import { ingest } from './scenario.ts';
import type { Stage } from './stage.ts';
import { createTenant, recovered, type Tenant } from './tenant.ts';

/** One run of the scenario. */
interface Run {
  readonly calls: number;
  readonly failed: string | undefined;
  /** What was wrong afterwards. */
  readonly faults: readonly string[];
  /** What clients and the operator were told meanwhile. */
  readonly refusals: ReadonlySet<string>;
}

/** One of several faults that are injected at the same point. */
export interface LoopedFault {
  readonly index: number;
  readonly of: number;
  /** Statuses that a request may be refused with because of it. */
  readonly statuses: readonly number[];
  /** Whether somebody has to be told of the failure of this call, as of an fsync: nothing else would show that it is ignored. */
  readonly isTold?: (failed: string) => boolean;
}

/** Runs of a sample, over all faults of a point; each fault has one at least. */
const SAMPLES = 4;
/** A loop that goes on for longer has a fault that is never reached. */
const MAX_CALLS = 2000;
const SENTENCE_LENGTH = 2000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** How many calls a run without a fault makes. */
const callsOf = new WeakMap<Stage, number>();

/**
 * Runs the scenario with the first call failing, then with the second, and so on until a run passes untouched; or, in the
 * slow lane, with a few calls failing that are spread evenly. Resolves with a sentence for each run after which something
 * was wrong.
 */
export async function failEach(
  stage: Stage,
  fault: LoopedFault,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const from = performance.now();
  const wrong: string[] = [];
  const refusals = new Set<string>();
  let runs = 0;
  const runWith = async (n: number) => {
    const done = await run(stage, fault, n);
    runs++;
    wrong.push(...sentences(n, done));
    for (const refusal of done.refusals) refusals.add(refusal.replace(UUID, 'ID'));
    return done;
  };
  const calls = callsOf.get(stage) ?? (await runWith(0)).calls;
  callsOf.set(stage, calls);
  if (isWholeRun) {
    for (let n = 1; (await runWith(n)).failed !== undefined; n++)
      if (n === MAX_CALLS) throw new Error(`a run with ${MAX_CALLS} calls still meets its fault`);
  } else {
    for (const part of partsOf(fault)) {
      const done = await runWith(Math.ceil(part * calls));
      // Not every fault can happen to every call.
      if (done.failed === undefined) await runWith(Math.ceil(part * done.calls));
    }
  }
  log(`${runs} runs of about ${calls} calls, ${Math.round((performance.now() - from) / 1000)} s`);
  log(`refused meanwhile: ${[...refusals].sort().join('; ') || 'nothing'}`);
  return wrong;
}

/** Places in a run, as parts of its calls: those of all faults together are evenly spread. */
function partsOf({ index, of }: LoopedFault): number[] {
  const each = Math.ceil(SAMPLES / of);
  return Array.from({ length: each }, (_, sample) => (sample * of + index + 0.5) / (each * of));
}

function sentences(n: number, { failed = 'nothing', faults }: Run): string[] {
  if (faults.length === 0) return [];
  return [[`call ${n}, ${failed}:`, ...faults.map((fault) => fault.slice(0, SENTENCE_LENGTH))].join('\n  ')];
}

/** The digest of the first run of this process: no fault may change what is stored in the end. */
let expected: string | undefined;

async function run(stage: Stage, { statuses, isTold }: LoopedFault, n: number): Promise<Run> {
  const { service, points, blobs } = stage;
  const tenant = await createTenant(stage, statuses);
  const { faults } = tenant;
  const logged = service.output.stderr.length;
  let calls = 0;
  let failed: string | undefined;
  const failing = async (point: FaultPoint, work: () => Promise<void>) => {
    if (failed === undefined) await point.arm(n === 0 ? 0 : n - calls);
    try {
      await work();
    } catch (error) {
      faults.add(`the scenario could not go on: ${error}`);
    }
    if (failed !== undefined) return;
    const armed = await point.disarm();
    calls += armed.calls;
    failed = armed.failed;
  };
  await failing(points.ingestion, () => ingest(tenant, service));
  await recovered('readiness', async () => (await fetch(`${service.url}/health/ready`)).status === 200).catch(
    (error: unknown) => faults.add(String(error)),
  );
  await check(tenant);
  await expire(tenant, blobs);
  await failing(points.collection, () => collect(tenant, service));
  await checkBlobs(tenant, blobs);
  if (failed !== undefined && isTold?.(failed) === true && tenant.refusals.size === 0)
    faults.add('nobody was told');
  checkLog(stage, tenant, service.output.stderr.slice(logged));
  await forget(stage, tenant);
  return { calls, failed, faults: faults.all, refusals: tenant.refusals };
}

async function check(tenant: Tenant): Promise<void> {
  const { faults } = tenant;
  try {
    await checkTenant(tenant);
    const digest = await digestOf(tenant);
    if (faults.all.length === 0) expected ??= digest;
    if (digest !== undefined && expected !== undefined) faults.expectSame('what is stored', digest, expected);
  } catch (error) {
    faults.add(`not all could be read: ${error}`);
  }
}

/** A thread that died was started again, and would hide an error that nobody has handled. */
function checkLog({ service: { process } }: Stage, { faults, refusals }: Tenant, log: string): void {
  if (process.exitCode !== null || process.signalCode !== null)
    throw new Error(`the service has ended:\n${log.slice(-SENTENCE_LENGTH)}`);
  const died = /a worker thread (?:failed|ended)|frame thread ended|unhandled/i.exec(log);
  if (died !== null) faults.add(`the service has logged: ${died[0]}`);
  if (faults.all.length > 0) faults.add(`${[...refusals].join('; ')}\n${log.slice(-SENTENCE_LENGTH)}`);
}

/** So that neither rows nor blobs of the runs before make the next one longer. */
async function forget({ blobs }: Stage, { id, sql }: Tenant): Promise<void> {
  await sql('delete from frame_queue where tenant_id = $1', [id]);
  await sql('delete from provider_removals where tenant_id = $1', [id]);
  await sql('delete from tenant_housekeeping where tenant_id = $1', [id]);
  await blobs.remove(id);
}
