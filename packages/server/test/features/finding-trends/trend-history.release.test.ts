import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client, Resource } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { foldPending, makeOlder } from '../../support/learned-times.ts';
import { pickFrom, randomNumbers } from '../../support/random-numbers.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';

const SEEDS = isWholeRun ? [1, 2, 3] : [1];
/** Hours after each step. Once changes are merged into days, only whole days can pass. */
const PAUSES = [
  [0, 1, 3, 6],
  [0, 24, 48, 72],
] as const;
const STEPS_PER_PHASE = 6;
/** Number of filters that are compared after each step. */
const COMPARED_FILTERS = 9;
const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;
const ACCOUNTS = [
  { type: 'aws', account: 'one' },
  { type: 'aws', account: 'two' },
  { type: 'azure', account: 'three' },
] as const;
const CHECKS = ['check-1', 'check-2', 'check-3'];
const RESOURCES = ['r1', 'r2', 'r3'];
/** `null` for a record without a service. */
const SERVICES = ['s3', 'ec2', null];
const SEVERITIES = { 2: 'low', 4: 'high', 5: 'critical' } as const;
const SEVERITY_IDS = [2, 4, 5] as const;

/** A provider of the oracle. An account that is uploaded again after its deletion has another one. */
interface Provider {
  readonly name: string;
  readonly type: string;
  readonly account: string;
}

interface Finding {
  readonly provider: Provider;
  readonly check: string;
  readonly service: string | null;
  readonly severity: (typeof SEVERITY_IDS)[number];
  readonly isFailing: boolean;
}

interface FilterCase {
  readonly query: string;
  readonly ofProvider: (provider: Provider) => boolean;
  readonly ofFinding: (finding: Finding) => boolean;
}

/** Number of failing findings by severity, and number of providers. */
type Counts = Readonly<Record<string, number>>;

/** The counts after a step, by query. */
interface Step {
  /** The hours, from 1970, at the beginning and the end of the step. */
  begin: number;
  end: number;
  readonly counts: ReadonlyMap<string, Counts>;
}

interface Point {
  readonly date?: string;
  readonly starts_at?: string;
  readonly failed: number;
  readonly failed_by_severity: Counts;
  readonly providers: number;
}

interface Trend {
  readonly attributes: { readonly days: readonly Point[]; readonly hours: readonly Point[] };
}

interface Summary {
  readonly attributes: {
    readonly failed: number;
    readonly by_severity: Readonly<Record<string, { readonly failed: number }>>;
  };
}

const NONE: Counts = Object.fromEntries(
  [...Object.values(SEVERITIES), 'failed', 'providers'].map((name) => [name, 0]),
);

/** Compares with counts that are recorded in memory after each change. */
describe('the trend after random uploads and deletions', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  for (const seed of SEEDS)
    it(`has the counts that were recorded at the time, and ends with the summary, for seed ${seed}`, async () => {
      const { id: tenantId, client } = await createSecondTenant(service);
      const history = new History({ ...service, tenantId }, client, seed);
      for (const [phase, pauses] of PAUSES.entries()) {
        for (let step = 0; step < STEPS_PER_PHASE; step++)
          await history.advance(phase * STEPS_PER_PHASE + step, pauses);
        await history.assertPoints();
      }
      await foldPending({ ...service, tenantId });
      await history.assertPoints();
    });
});

type Tenant = Pick<SharedService, 'connect' | 'tenantId'>;

/** Changes a tenant at random, and records what its trend must show. */
class History {
  readonly #tenant: Tenant;
  readonly #client: Client;
  readonly #random: (below: number) => number;
  readonly #findings = new Map<string, Finding>();
  /** The current providers by account. */
  readonly #live = new Map<string, Provider>();
  /** The ids of all providers by name. */
  readonly #ids = new Map<string, string>();
  readonly #steps: Step[] = [];

  constructor(tenant: Tenant, client: Client, seed: number) {
    this.#tenant = tenant;
    this.#client = client;
    this.#random = randomNumbers(seed);
  }

  async advance(number: number, pauses: readonly number[]): Promise<void> {
    const begin = currentHour();
    if (this.#live.size > 1 && this.#random(4) === 0) await this.#delete(this.#pick([...this.#live.keys()]));
    else await this.#upload(number);
    await this.#foldSometimes();
    const counts = new Map<string, Counts>();
    const filters = this.#filters();
    for (const one of filters) counts.set(one.query, this.#expected(one));
    for (let at = 0; at < COMPARED_FILTERS; at++) {
      const one = this.#pick(filters);
      await this.#assertLast(one.query, this.#expected(one));
    }
    this.#steps.push({ begin, end: currentHour(), counts });
    const hours = this.#pick(pauses);
    await makeOlder(this.#tenant, hours);
    for (const step of this.#steps) {
      step.begin -= hours;
      step.end -= hours;
    }
    await this.#foldSometimes();
  }

  /** Compares all points of all trends. */
  async assertPoints(): Promise<void> {
    let compared = 0;
    for (const { query } of this.#filters()) {
      const { days, hours } = await this.#trendOf(`days=40&hours=48&${query}`);
      for (const point of [...days, ...hours]) {
        const at = `${point.date ?? point.starts_at} of ${query}`;
        const end =
          point.date === undefined
            ? Date.parse(point.starts_at ?? '') / HOUR_MS
            : Date.parse(point.date) / HOUR_MS + HOURS_PER_DAY - 1;
        // The hour ended during a step.
        if (this.#steps.some((step) => step.begin <= end && end < step.end)) continue;
        const step = this.#steps.findLast((one) => one.end <= end);
        assert.deepEqual(countsOf(point), step?.counts.get(query) ?? NONE, at);
        compared++;
      }
    }
    assert.ok(compared > 1000, `${compared} points`);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return pickFrom(this.#random, values);
  }

  async #foldSometimes(): Promise<void> {
    if (this.#random(3) === 0) await foldPending(this.#tenant);
  }

  async #upload(number: number): Promise<void> {
    const { type, account } = this.#pick(ACCOUNTS);
    const isComplete = this.#random(3) === 0;
    const provider = this.#live.get(account) ?? { name: `${account} since ${number}`, type, account };
    const seen = new Map<string, { readonly finding: Finding; readonly record: Record<string, unknown> }>();
    for (let records = 2 + this.#random(5); records > 0; records--) {
      const [check, resource] = [this.#pick(CHECKS), this.#pick(RESOURCES)];
      const [service, severity] = [this.#pick(SERVICES), this.#pick(SEVERITY_IDS)];
      const [status, isMuted] = [this.#pick(['FAIL', 'FAIL', 'PASS', 'MANUAL']), this.#random(5) === 0];
      seen.set(`${provider.name} ${check} ${resource}`, {
        finding: { provider, check, service, severity, isFailing: status === 'FAIL' && !isMuted },
        record: record({
          time: 1_780_000_000 + number,
          status_code: status,
          severity_id: severity,
          severity: SEVERITIES[severity],
          ...(isMuted && { status: 'Suppressed', status_id: 3 }),
          metadata: { event_code: check, product: { name: 'Scanner' } },
          finding_info: { uid: `${check} ${resource}` },
          cloud: { provider: type, account: { uid: account } },
          resources: [{ uid: resource, ...(service !== null && { group: { name: service } }) }],
        }),
      });
    }
    await this.#client.ingest(
      Array.from(seen.values(), (one) => one.record),
      isComplete ? { parts: { coverage: 'account' } } : {},
    );
    if (isComplete) this.#removeFindings((finding, key) => finding.provider === provider && !seen.has(key));
    for (const [key, { finding }] of seen) this.#findings.set(key, finding);
    this.#live.set(account, provider);
    const { body } = await this.#client.get<Resource[]>(`/providers?filter[account]=${account}`);
    this.#ids.set(provider.name, body.data[0]?.id ?? assert.fail());
  }

  async #delete(account: string): Promise<void> {
    const provider = this.#live.get(account) ?? assert.fail();
    const { status } = await this.#client.delete(`/providers/${this.#ids.get(provider.name)}`);
    assert.equal(status, 204);
    this.#live.delete(account);
    this.#removeFindings((finding) => finding.provider === provider);
  }

  #removeFindings(isRemoved: (finding: Finding, key: string) => boolean): void {
    for (const [key, finding] of this.#findings) if (isRemoved(finding, key)) this.#findings.delete(key);
  }

  /** All combinations of filters. */
  #filters(): readonly FilterCase[] {
    const [name, id] = [...this.#ids][0] ?? assert.fail();
    const ofProviders: [string, FilterCase['ofProvider']][] = [
      ['', () => true],
      [`filter[provider]=${id}`, (provider) => provider.name === name],
      ['filter[provider_type]=aws', ({ type }) => type === 'aws'],
      ['filter[account__in]=two,three', ({ account }) => account !== 'one'],
    ];
    const ofChecks: [string, FilterCase['ofFinding']][] = [
      ['', () => true],
      ['filter[check_id]=check-1', ({ check }) => check === 'check-1'],
      ['filter[check_id__in]=check-2,check-3', ({ check }) => check !== 'check-1'],
    ];
    const ofServices: [string, FilterCase['ofFinding']][] = [
      ['', () => true],
      ['filter[service]=s3', ({ service }) => service === 's3'],
      ['filter[service]=', ({ service }) => service === null],
    ];
    return ofProviders.flatMap(([provider, ofProvider]) =>
      ofChecks.flatMap(([check, ofCheck]) =>
        ofServices.map(([service, ofService]) => ({
          query: [provider, check, service].filter((text) => text !== '').join('&'),
          ofProvider,
          ofFinding: (finding) => ofCheck(finding) && ofService(finding),
        })),
      ),
    );
  }

  #expected({ ofProvider, ofFinding }: FilterCase): Counts {
    const failing = [...this.#findings.values()].filter(
      (finding) => finding.isFailing && ofProvider(finding.provider) && ofFinding(finding),
    );
    const bySeverity = SEVERITY_IDS.map((id): [string, number] => [
      SEVERITIES[id],
      failing.filter(({ severity }) => severity === id).length,
    ]);
    return {
      ...Object.fromEntries(bySeverity),
      failed: failing.length,
      providers: [...this.#live.values()].filter(ofProvider).length,
    };
  }

  async #assertLast(query: string, expected: Counts): Promise<void> {
    const last = (await this.#trendOf(`days=1&hours=1&${query}`)).days.at(-1) ?? assert.fail();
    assert.deepEqual(countsOf(last), expected, query);
    const { attributes } = (await this.#client.get<Summary>(`/findings/summary?${query}`)).body.data;
    const failed = Object.entries(attributes.by_severity).map(([name, counts]) => [name, counts.failed]);
    assert.deepEqual([last.failed, last.failed_by_severity], [attributes.failed, Object.fromEntries(failed)]);
  }

  async #trendOf(query: string): Promise<Trend['attributes']> {
    const { status, body } = await this.#client.get<Trend>(`/findings/trend?${query}`);
    assert.equal(status, 200, JSON.stringify(body.errors));
    return body.data.attributes;
  }
}

function countsOf({ failed, failed_by_severity, providers }: Point): Counts {
  const named = Object.values(SEVERITIES).map((name): [string, number] => [
    name,
    failed_by_severity[name] ?? 0,
  ]);
  return { ...Object.fromEntries(named), failed, providers };
}

function currentHour(): number {
  return Math.floor(Date.now() / HOUR_MS);
}
