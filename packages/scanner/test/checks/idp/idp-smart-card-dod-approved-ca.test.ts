import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/idp/idp-smart-card-dod-approved-ca.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { IdentityProvider } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { identityProvider } from './identity-provider.ts';

const evaluate = (providers: readonly IdentityProvider[], approvedIssuers?: readonly RegExp[]) =>
  check.evaluate(
    contextOf(
      { identityProviders: read(providers) },
      { thresholds: approvedIssuers ? { approvedIssuers } : {} },
    ),
  );
const OTHER_ISSUER = 'CN=ACME Internal Root, O=Acme Corp, C=US';

describe(check.id, () => {
  it('passes an active provider with a DoD issuer and reports the pattern, issuer and key', () => {
    assertVerdicts(evaluate([identityProvider()]), [
      'PASS',
      'idp-1',
      /pattern \\bOU=DoD\\b\./,
      /DoD ID CA-59/,
      /kid-1/,
    ]);
  });

  it('passes an issuer that is an External Certification Authority', () => {
    const issuer = 'CN=ECA Root CA 4, OU=ECA, O=U.S. Government, C=US';
    assertVerdicts(evaluate([identityProvider({ issuer, kid: null })]), [
      'PASS',
      'idp-1',
      /OU=ECA/,
      /key ID unset/,
    ]);
  });

  it('returns MANUAL for an issuer that matches no pattern and explains where to add a pattern', () => {
    const verdicts = evaluate([identityProvider({ issuer: OTHER_ISSUER })]);
    assertVerdicts(verdicts, [
      'MANUAL',
      'idp-1',
      /approved issuers in the configuration file/,
      /ACME Internal Root/,
    ]);
  });

  it('matches patterns case-sensitively and at word boundaries', () => {
    assertVerdicts(evaluate([identityProvider({ issuer: 'CN=X, OU=dod' })]), ['MANUAL', 'idp-1']);
    assertVerdicts(evaluate([identityProvider({ issuer: 'CN=X, OU=DoDo' })]), ['MANUAL', 'idp-1']);
  });

  it('returns MANUAL if the API does not return the issuer', () => {
    const verdicts = evaluate([identityProvider({ issuer: null, kid: null })]);
    assertVerdicts(verdicts, ['MANUAL', 'idp-1', /does not return its certificate chain/]);
    assertVerdicts(evaluate([identityProvider({ issuer: null })], [/null/]), [
      'MANUAL',
      'idp-1',
      /issuer unset/,
    ]);
  });

  it('uses only the configured patterns, in order', () => {
    const other = [identityProvider({ issuer: OTHER_ISSUER })];
    assertVerdicts(evaluate(other, [/OU=DoD/, /O=Acme Corp/, /ACME/]), [
      'PASS',
      'idp-1',
      /pattern O=Acme Corp\./,
    ]);
    assertVerdicts(evaluate([identityProvider()], [/O=Acme Corp/]), ['MANUAL', 'idp-1']);
  });

  it('returns the same verdict on every evaluation, even if a pattern has the stateful global flag', () => {
    const pattern = [/OU=DoD/g];
    assertVerdicts(evaluate([identityProvider()], pattern), ['PASS', 'idp-1']);
    assertVerdicts(evaluate([identityProvider()], pattern), ['PASS', 'idp-1']);
  });

  it('fails a provider that is inactive or has no status', () => {
    assertVerdicts(evaluate([identityProvider({ status: 'INACTIVE' })]), [
      'FAIL',
      'idp-1',
      /INACTIVE\. It must be ACTIVE/,
    ]);
    assertVerdicts(evaluate([identityProvider({ status: null })]), [
      'FAIL',
      'idp-1',
      /has no status/,
      /DoD ID CA-59/,
    ]);
    assertVerdicts(evaluate([identityProvider({ status: '' })]), ['FAIL', 'idp-1', /has no status/]);
  });

  it('returns one FAIL that mentions muting if there is no smart card provider', () => {
    for (const providers of [[], [identityProvider({ type: 'SAML2' }), identityProvider({ type: null })]]) {
      const verdicts = evaluate(providers);
      assertVerdicts(verdicts, ['FAIL', 'directory-smart-card-idp-missing', /mute this finding/]);
      assert.equal(verdicts[0]?.resource.name, '(no Smart Card IdP configured)');
    }
  });

  it('returns one verdict per smart card provider', () => {
    const verdicts = evaluate([
      identityProvider({ type: 'x509' }),
      identityProvider({ id: 'saml', type: 'SAML2' }),
      identityProvider({ id: 'idp-2', status: 'INACTIVE' }),
    ]);
    assertVerdicts(verdicts, ['PASS', 'idp-1'], ['FAIL', 'idp-2']);
  });

  it('returns MANUAL when the providers could not be read', () => {
    const scope = unread<readonly IdentityProvider[]>(scopeMissing('directory.idps.read'));
    const verdicts = check.evaluate(contextOf({ identityProviders: scope }));
    assertVerdicts(verdicts, ['MANUAL', 'directory-idps-scope-missing', /directory\.idps\.read/]);
    for (const { problem, pattern } of FAILED_READS) {
      const identityProviders = unread<readonly IdentityProvider[]>(problem);
      assertVerdicts(check.evaluate(contextOf({ identityProviders })), [
        'MANUAL',
        'directory-idps-retrieval-error',
        pattern,
      ]);
    }
  });
});
