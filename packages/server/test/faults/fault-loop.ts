import type { FaultPoint } from '../support/fault-point.ts';
import { isWholeRun } from '../support/is-whole-run.ts';
import { checkTenant, digestOf } from './check-tenant.ts';
import { checkBlobs, collect, expire } from './collect.ts';
import { ingest } from './scenario.ts';
import { createTenant, recovered, type Tenant } from './tenant.ts';
import type { TestBed } from './test-bed.ts';

/** One run of the scenario. */
interface Run {
  readonly calls: number;
  readonly failed: string | undefined;
  /** Violations found after the run. */
  readonly faults: readonly string[];
  /** Errors reported to clients and to the operator during the run. */
  readonly rejections: ReadonlySet<string>;
}

/** One of several faults that are injected at the same point. */
export interface LoopedFault {
  readonly index: number;
  readonly of: number;
  /** Error statuses that a request may return because of the fault. */
  readonly statuses: readonly number[];
  /** Whether a failure of this call must be reported. Nothing else would reveal an ignored fsync failure. */
  readonly mustBeReported?: (failed: string) => boolean;
}

/**
 * Total number of runs per fault point in a sample, divided among the faults of the point. Each fault gets at least one
 * run.
 */
const SAMPLES = 2;
/** If a whole run would have more runs per fault point, each call gets only one of the faults of the point. */
const MAX_RUNS = 600;
/** After this many calls, the loop is assumed to be infinite. */
const MAX_CALLS = 2000;
const MAX_MESSAGE_LENGTH = 2000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The number of calls in a run without a fault. */
const callsOf = new WeakMap<TestBed, number>();

/**
 * Runs the scenario with a fault in the first call, then in the second, and so on until a run completes before its
 * fault occurs. If the scenario has many calls, each fault of the point gets a part of them. In the slow lane, injects
 * the fault into a few evenly spread calls. Resolves with a message for each run with violations.
 */
export async function failEach(
  testBed: TestBed,
  fault: LoopedFault,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const from = performance.now();
  const violations: string[] = [];
  const rejections = new Set<string>();
  let runs = 0;
  const runWith = async (n: number) => {
    const done = await run(testBed, fault, n);
    runs++;
    violations.push(...messages(n, done));
    for (const rejection of done.rejections) rejections.add(rejection.replace(UUID, 'ID'));
    return done;
  };
  const calls = callsOf.get(testBed) ?? (await runWith(0)).calls;
  callsOf.set(testBed, calls);
  if (isWholeRun) {
    const { first, step } =
      calls * fault.of > MAX_RUNS ? { first: fault.index + 1, step: fault.of } : { first: 1, step: 1 };
    for (let n = first; (await runWith(n)).failed !== undefined; n += step)
      if (n >= MAX_CALLS) throw new Error(`the fault still occurs after ${MAX_CALLS} calls`);
  } else {
    for (const fraction of fractionsOf(fault)) {
      const done = await runWith(Math.ceil(fraction * calls));
      // Not every fault applies to every call.
      if (done.failed === undefined) await runWith(Math.ceil(fraction * done.calls));
    }
  }
  log(`${runs} runs of about ${calls} calls, ${Math.round((performance.now() - from) / 1000)} s`);
  log(`rejected: ${[...rejections].sort().join('; ') || 'nothing'}`);
  return violations;
}

/** Positions in a run as fractions of its calls, distributed evenly across all faults. */
function fractionsOf({ index, of }: LoopedFault): number[] {
  const each = Math.ceil(SAMPLES / of);
  return Array.from({ length: each }, (_, sample) => (sample * of + index + 0.5) / (each * of));
}

function messages(n: number, { failed = 'nothing', faults }: Run): string[] {
  if (faults.length === 0) return [];
  return [
    [`call ${n}, ${failed}:`, ...faults.map((fault) => fault.slice(0, MAX_MESSAGE_LENGTH))].join('\n  '),
  ];
}

/** The digest of the first run in this process. Every run must store the same data. */
let expected: string | undefined;

async function run(testBed: TestBed, { statuses, mustBeReported }: LoopedFault, n: number): Promise<Run> {
  const { service, points, blobs } = testBed;
  const tenant = await createTenant(testBed, statuses);
  const { faults } = tenant;
  const logged = service.output.stderr.length;
  let calls = 0;
  let failed: string | undefined;
  const runWithFault = async (point: FaultPoint, work: () => Promise<void>) => {
    if (failed === undefined) await point.arm(n === 0 ? 0 : n - calls);
    try {
      await work();
    } catch (error) {
      faults.add(`the scenario failed: ${error}`);
    }
    if (failed !== undefined) return;
    const armed = await point.disarm();
    calls += armed.calls;
    failed = armed.failed;
  };
  await runWithFault(points.ingestion, () => ingest(tenant, service));
  await recovered('readiness', async () => (await fetch(`${service.url}/health/ready`)).status === 200).catch(
    (error: unknown) => faults.add(String(error)),
  );
  await check(tenant);
  await expire(tenant, blobs);
  await runWithFault(points.collection, () => collect(tenant, service));
  await checkBlobs(tenant, blobs);
  if (failed !== undefined && mustBeReported?.(failed) === true && tenant.rejections.size === 0)
    faults.add('the failure was not reported');
  checkLog(testBed, tenant, service.output.stderr.slice(logged));
  await removeTenantData(testBed, tenant);
  return { calls, failed, faults: faults.all, rejections: tenant.rejections };
}

async function check(tenant: Tenant): Promise<void> {
  const { faults } = tenant;
  try {
    await checkTenant(tenant);
    const digest = await digestOf(tenant);
    if (faults.all.length === 0) expected ??= digest;
    if (digest !== undefined && expected !== undefined)
      faults.expectSame('the stored data', digest, expected);
  } catch (error) {
    faults.add(`the data could not be read: ${error}`);
  }
}

/** Crashed threads are restarted, which would hide an unhandled error. */
function checkLog({ service: { process } }: TestBed, { faults, rejections }: Tenant, log: string): void {
  if (process.exitCode !== null || process.signalCode !== null)
    throw new Error(`the service exited:\n${log.slice(-MAX_MESSAGE_LENGTH)}`);
  const crash = /a worker thread (?:failed|ended)|frame thread ended|unhandled/i.exec(log);
  if (crash !== null) faults.add(`the service logged: ${crash[0]}`);
  if (faults.all.length > 0) faults.add(`${[...rejections].join('; ')}\n${log.slice(-MAX_MESSAGE_LENGTH)}`);
}

/** Removes rows and blobs, so that they do not slow down the next run. */
async function removeTenantData({ blobs }: TestBed, { id, sql }: Tenant): Promise<void> {
  await sql('delete from frame_queue where tenant_id = $1', [id]);
  await sql('delete from provider_removals where tenant_id = $1', [id]);
  await sql('delete from tenant_housekeeping where tenant_id = $1', [id]);
  await blobs.remove(id);
}
