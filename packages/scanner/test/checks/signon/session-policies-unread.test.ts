import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as cookies } from '../../../src/checks/signon/signon-global-session-cookies-not-persistent.ts';
import { check as idle } from '../../../src/checks/signon/signon-global-session-idle-timeout-15min.ts';
import { check as lifetime } from '../../../src/checks/signon/signon-global-session-lifetime-18h.ts';
import { check as zone } from '../../../src/checks/signon/signon-global-session-policy-network-zone-enforced.ts';
import { type Read, read } from '../../../src/directory/read-result.ts';
import type { SessionPolicy } from '../../../src/directory/snapshot.ts';
import {
  accessDenied,
  evaluated,
  failed,
  outline,
  scopeMissing,
  sessionPolicy,
  sessionRule,
} from '../snapshots.ts';

const GOOD = sessionRule();
const CUSTOM = { id: 'pol2', name: 'Contractors', priority: 1, system: false };

for (const check of [idle, lifetime, cookies, zone]) {
  describe(`${check.id}: unread data`, () => {
    const evaluateRead = (sessionPolicies: Read<readonly SessionPolicy[]>) =>
      check.evaluate(evaluated({ sessionPolicies }));
    const evaluate = (...policies: SessionPolicy[]) => evaluateRead(read(policies));
    const detailOf = ([verdict]: ReturnType<typeof evaluate>) => verdict?.detail ?? '';

    it('returns MANUAL and reports the scope if it was not granted', () => {
      const verdicts = evaluateRead(scopeMissing('directory.policies.read'));
      assert.deepEqual(outline(verdicts), [
        ['MANUAL', 'signon-policies-scope-missing', '(scope not granted)'],
      ]);
      assert.match(detailOf(verdicts), /could not be read.*Grant the scope directory\.policies\.read/);
    });

    it('returns MANUAL with the reason if the session policies could not be read', () => {
      const verdicts = evaluateRead(accessDenied());
      assert.deepEqual(outline(verdicts), [
        ['MANUAL', 'signon-policies-retrieval-error', '(retrieval failed)'],
      ]);
      assert.match(
        detailOf(verdicts),
        /^The global session policies could not be read: GET .* 403 \(E0000006/,
      );
      assert.match(detailOf(evaluateRead(failed('failed', 'GET /x returned 500'))), /GET \/x returned 500/);
    });

    it('returns MANUAL for a policy whose rules could not be read, but still evaluates the other policies', () => {
      const verdicts = evaluate(
        sessionPolicy([GOOD]),
        sessionPolicy(failed('failed', 'GET /r timed out'), CUSTOM),
      );
      assert.deepEqual(outline(verdicts), [
        ['MANUAL', 'pol2', 'Contractors'],
        ['PASS', 'pol1', 'Default Policy'],
      ]);
      assert.match(
        detailOf(verdicts),
        /^The rules of global session policy "Contractors" .*GET \/r timed out/,
      );
    });

    it('returns MANUAL, not FAIL, for a policy whose rules cannot be read', () => {
      assert.equal(evaluate(sessionPolicy(accessDenied()))[0]?.status, 'MANUAL');
    });
  });
}
