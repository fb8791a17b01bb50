import assert from 'node:assert/strict';
import type { EvaluationContext, Status, Thresholds, Verdict } from '../../src/checks/check.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import type { ReadProblem } from '../../src/directory/read-result.ts';
import type { ResourceKey, Snapshot } from '../../src/directory/snapshot.ts';

const THRESHOLDS: Thresholds = {
  maxSessionIdleMinutes: 15,
  maxSessionLifetimeMinutes: 1080,
  adminConsoleMaxIdleMinutes: 15,
  maxInactivityDays: 35,
  approvedIssuers: [/\bOU=DoD\b/, /\bOU=ECA\b/],
};

/** Creates an evaluation context. Defaults to the STIG thresholds and the `directory` dialect. */
export function contextOf<Keys extends ResourceKey>(
  snapshot: Pick<Snapshot, Keys>,
  { thresholds = {}, dialect = 'directory' }: ContextOptions = {},
): EvaluationContext<Keys> {
  return { snapshot, thresholds: { ...THRESHOLDS, ...thresholds }, dialect: DIALECTS[dialect] };
}

interface ContextOptions {
  readonly thresholds?: Partial<Thresholds>;
  readonly dialect?: keyof typeof DIALECTS;
}

export function scopeMissing(scope: string): ReadProblem {
  return { cause: 'scope', scope, detail: `the token lacks the scope ${scope}` };
}

/** Read failures that occur even though the scope was granted, each with a pattern for the verdict detail. */
export const FAILED_READS: readonly { readonly problem: ReadProblem; readonly pattern: RegExp }[] = [
  {
    problem: { cause: 'role', scope: null, detail: 'GET /x returned 403 (E0000006: denied)' },
    pattern: /403 \(E0000006: denied\).*Read-Only Administrator/,
  },
  {
    problem: { cause: 'not_offered', scope: null, detail: 'GET /x returned 404' },
    pattern: /returned 404.*does not offer this feature/,
  },
  {
    problem: { cause: 'failed', scope: null, detail: 'GET /x returned 503 four times' },
    pattern: /503 four times.*Scan again/,
  },
];

export type Expected = readonly [status: Status, resourceId: string, ...detailPatterns: RegExp[]];

/** Asserts the exact verdicts in order, and that each verdict detail consists of complete sentences. */
export function assertVerdicts(verdicts: readonly Verdict[], ...expected: readonly Expected[]): void {
  assert.deepEqual(
    verdicts.map(({ status, resource }) => [status, resource.id]),
    expected.map(([status, id]) => [status, id]),
  );
  for (const [index, { detail, resource }] of verdicts.entries()) {
    const [, , ...patterns] = expected[index] ?? [undefined, undefined];
    for (const pattern of patterns) assert.match(detail, pattern);
    assert.match(detail, /^[A-Z].*\.$/);
    assert.doesNotMatch(detail, /undefined|null|NaN|\.\.|; ?$/);
    assert.notEqual(resource.name, '');
  }
}
