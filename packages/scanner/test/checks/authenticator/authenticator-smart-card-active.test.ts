import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/authenticator/authenticator-smart-card-active.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { Authenticator } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { authenticator } from './authenticator.ts';

const evaluate = (...authenticators: readonly Authenticator[]) =>
  check.evaluate(contextOf({ authenticators: read(authenticators) }));
const smartCard = (fields: Partial<Authenticator> = {}) =>
  authenticator({ id: 'aut-card', key: 'smart_card_idp', name: 'Smart Card', fips: null, ...fields });

describe(check.id, () => {
  it('passes an active smart card authenticator', () => {
    assertVerdicts(evaluate(authenticator(), smartCard()), ['PASS', 'aut-card', /"Smart Card" is active/]);
  });

  it('fails an inactive smart card authenticator and reports its status', () => {
    assertVerdicts(evaluate(smartCard({ status: 'INACTIVE' })), [
      'FAIL',
      'aut-card',
      /INACTIVE\. It must be ACTIVE/,
    ]);
    assertVerdicts(evaluate(smartCard({ status: null })), ['FAIL', 'aut-card', /has no status/]);
  });

  it('fails when there is no smart card authenticator', () => {
    const verdicts = evaluate(authenticator());
    assertVerdicts(verdicts, ['FAIL', 'smart_card_idp-missing', /has no Smart Card IdP authenticator/]);
    assert.equal(verdicts[0]?.resource.name, 'Smart Card IdP authenticator');
    assertVerdicts(evaluate(), ['FAIL', 'smart_card_idp-missing']);
  });

  it('returns MANUAL when the authenticators could not be read', () => {
    const scope = unread<readonly Authenticator[]>(scopeMissing('directory.authenticators.read'));
    const verdicts = check.evaluate(contextOf({ authenticators: scope }));
    assertVerdicts(verdicts, ['MANUAL', 'smart_card_idp-scope-missing', /directory\.authenticators\.read/]);
    for (const { problem, pattern } of FAILED_READS) {
      const authenticators = unread<readonly Authenticator[]>(problem);
      assertVerdicts(check.evaluate(contextOf({ authenticators })), [
        'MANUAL',
        'smart_card_idp-retrieval-error',
        pattern,
      ]);
    }
  });
});
