import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/authenticator/authenticator-directory-verify-fips-compliant.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { Authenticator } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { authenticator } from './authenticator.ts';

const evaluate = (...authenticators: readonly Authenticator[]) =>
  check.evaluate(contextOf({ authenticators: read(authenticators) }));

describe(check.id, () => {
  it("passes an active authenticator that requires FIPS, regardless of the setting's letter case", () => {
    assertVerdicts(evaluate(authenticator()), [
      'PASS',
      'aut-1',
      /Directory Verify authenticator is active/,
      /REQUIRED/,
    ]);
    assertVerdicts(evaluate(authenticator({ status: 'active', fips: 'required' })), ['PASS', 'aut-1']);
  });

  it('fails any FIPS setting other than REQUIRED and reports the setting', () => {
    assertVerdicts(evaluate(authenticator({ fips: 'OPTIONAL' })), [
      'FAIL',
      'aut-1',
      /OPTIONAL\. It must be REQUIRED/,
    ]);
    assertVerdicts(evaluate(authenticator({ fips: null })), [
      'FAIL',
      'aut-1',
      /setting is unset\. It must be REQUIRED/,
    ]);
  });

  it('fails an inactive authenticator and reports its status, even if it is empty', () => {
    assertVerdicts(evaluate(authenticator({ status: 'INACTIVE' })), [
      'FAIL',
      'aut-1',
      /INACTIVE\. It must be ACTIVE/,
    ]);
    assertVerdicts(evaluate(authenticator({ status: null })), [
      'FAIL',
      'aut-1',
      /has no status\. It must be ACTIVE/,
    ]);
    assertVerdicts(evaluate(authenticator({ status: '' })), [
      'FAIL',
      'aut-1',
      /has no status\. It must be ACTIVE/,
    ]);
  });

  it('fails when the organization does not have the authenticator', () => {
    const verdicts = evaluate(authenticator({ key: 'Directory_Verify' }), authenticator({ key: 'webauthn' }));
    assertVerdicts(verdicts, ['FAIL', 'directory_verify-missing', /has no Directory Verify authenticator/]);
    assert.deepEqual(verdicts[0]?.resource.name, 'Directory Verify authenticator');
  });

  it("looks up the authenticator by the vendor's key", () => {
    const authenticators = read([authenticator({ key: 'okta_verify' })]);
    const verdicts = check.evaluate(contextOf({ authenticators }, { dialect: 'okta' }));
    assertVerdicts(verdicts, ['PASS', 'aut-1', /Okta Verify authenticator is active/]);
    const missing = check.evaluate(
      contextOf({ authenticators: read([authenticator()]) }, { dialect: 'okta' }),
    );
    assertVerdicts(missing, [
      'FAIL',
      'okta_verify-missing',
      /The Okta organization has no Okta Verify authenticator/,
    ]);
  });

  it('returns MANUAL and reports the missing scope', () => {
    const authenticators = unread<readonly Authenticator[]>(scopeMissing('directory.authenticators.read'));
    const verdicts = check.evaluate(contextOf({ authenticators }));
    assertVerdicts(verdicts, ['MANUAL', 'directory_verify-scope-missing', /directory\.authenticators\.read/]);
    assert.equal(verdicts[0]?.resource.name, 'Directory Verify authenticator');
  });

  it('returns MANUAL with the reason when the authenticators could not be read', () => {
    for (const { problem, pattern } of FAILED_READS) {
      const verdicts = check.evaluate(
        contextOf({ authenticators: unread<readonly Authenticator[]>(problem) }),
      );
      assertVerdicts(verdicts, ['MANUAL', 'directory_verify-retrieval-error', pattern]);
    }
  });
});
