import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as common } from '../../../src/checks/authenticator/authenticator-password-common-password-check.ts';
import { check as lowercase } from '../../../src/checks/authenticator/authenticator-password-complexity-lowercase.ts';
import { check as digit } from '../../../src/checks/authenticator/authenticator-password-complexity-number.ts';
import { check as symbol } from '../../../src/checks/authenticator/authenticator-password-complexity-symbol.ts';
import { check as uppercase } from '../../../src/checks/authenticator/authenticator-password-complexity-uppercase.ts';
import { check as history } from '../../../src/checks/authenticator/authenticator-password-history-5.ts';
import { check as lockout } from '../../../src/checks/authenticator/authenticator-password-lockout-threshold-3.ts';
import { check as maximumAge } from '../../../src/checks/authenticator/authenticator-password-maximum-age-60d.ts';
import { check as minimumAge } from '../../../src/checks/authenticator/authenticator-password-minimum-age-24h.ts';
import { check as length } from '../../../src/checks/authenticator/authenticator-password-minimum-length-15.ts';
import type { Check } from '../../../src/checks/check.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { PasswordPolicy } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { passwordPolicy } from './password-policy.ts';

interface Case {
  readonly fields: Partial<PasswordPolicy>;
  readonly pattern: RegExp;
}
interface Cases {
  readonly check: Check<'passwordPolicies'>;
  readonly required: RegExp;
  readonly passes: readonly Case[];
  readonly fails: readonly Case[];
}

const characters = (
  check: Check<'passwordPolicies'>,
  field: 'minUpperCase' | 'minLowerCase' | 'minNumber' | 'minSymbol',
  characterType: string,
): Cases => ({
  check,
  required: new RegExp(`Required: at least 1 ${characterType}\\.$`, 'i'),
  passes: [
    { fields: { [field]: 1 }, pattern: new RegExp(`has a minimum of 1 ${characterType}\\.`) },
    { fields: { [field]: 2 }, pattern: new RegExp(`has a minimum of 2 ${characterType}s\\.`) },
  ],
  fails: [
    { fields: { [field]: 0 }, pattern: new RegExp(`has a minimum of 0 ${characterType}s\\.`) },
    {
      fields: { [field]: null },
      pattern: new RegExp(`does not set a minimum number of ${characterType}s\\.`),
    },
  ],
});

const CASES: readonly Cases[] = [
  {
    check: length,
    required: /Required: at least 15 characters\.$/i,
    passes: [
      { fields: { minLength: 15 }, pattern: /has a minimum length of 15 characters\./ },
      { fields: { minLength: 30 }, pattern: /30 characters\./ },
    ],
    fails: [
      { fields: { minLength: 14 }, pattern: /14 characters\./ },
      { fields: { minLength: 0 }, pattern: /0 characters\./ },
      { fields: { minLength: null }, pattern: /does not set a minimum length\./ },
    ],
  },
  characters(uppercase, 'minUpperCase', 'uppercase letter'),
  characters(lowercase, 'minLowerCase', 'lowercase letter'),
  characters(digit, 'minNumber', 'digit'),
  characters(symbol, 'minSymbol', 'symbol'),
  {
    check: minimumAge,
    required: /Required: a minimum password age of at least 1440 minutes \(24 hours\)\.$/i,
    passes: [{ fields: { minAgeMinutes: 1440 }, pattern: /minimum password age of 1440 minutes\./ }],
    fails: [
      { fields: { minAgeMinutes: 1439 }, pattern: /1439 minutes\./ },
      { fields: { minAgeMinutes: 0 }, pattern: /0 minutes\./ },
      { fields: { minAgeMinutes: null }, pattern: /does not set a minimum password age\./ },
    ],
  },
  {
    check: maximumAge,
    required: /Required: a maximum password age of 1 to 60 days\.$/i,
    passes: [
      { fields: { maxAgeDays: 60 }, pattern: /maximum password age of 60 days\./ },
      { fields: { maxAgeDays: 1 }, pattern: /1 day\./ },
    ],
    fails: [
      { fields: { maxAgeDays: 61 }, pattern: /61 days\./ },
      { fields: { maxAgeDays: 0 }, pattern: /0 days, so passwords never expire\./ },
      { fields: { maxAgeDays: null }, pattern: /does not set a maximum password age\./ },
    ],
  },
  {
    check: history,
    required: /Required: a password history of at least 5 passwords\.$/i,
    passes: [{ fields: { historyCount: 5 }, pattern: /remembers 5 passwords\./ }],
    fails: [
      { fields: { historyCount: 4 }, pattern: /remembers 4 passwords\./ },
      { fields: { historyCount: 0 }, pattern: /remembers 0 passwords\./ },
      { fields: { historyCount: null }, pattern: /does not set a password history\./ },
    ],
  },
  {
    check: lockout,
    required: /Required: lockout after 1 to 3 failed attempts\.$/i,
    passes: [
      { fields: { maxAttempts: 3 }, pattern: /locks accounts after 3 failed attempts\./ },
      { fields: { maxAttempts: 1 }, pattern: /locks accounts after 1 failed attempt\./ },
    ],
    fails: [
      { fields: { maxAttempts: 4 }, pattern: /after 4 failed attempts\./ },
      { fields: { maxAttempts: 0 }, pattern: /0 failed attempts, so accounts are never locked\./ },
      { fields: { maxAttempts: null }, pattern: /does not set a lockout threshold\./ },
    ],
  },
  {
    check: common,
    required: /Required: an enabled common password check\.$/i,
    passes: [{ fields: { excludeCommonPasswords: true }, pattern: / rejects common passwords\./ }],
    fails: [
      { fields: { excludeCommonPasswords: false }, pattern: / accepts common passwords\./ },
      { fields: { excludeCommonPasswords: null }, pattern: /does not configure the common password check\./ },
    ],
  },
];

for (const { check, required, passes, fails } of CASES) {
  const evaluate = (...policies: readonly PasswordPolicy[]) =>
    check.evaluate(contextOf({ passwordPolicies: read(policies) }));
  const failing = fails[0]?.fields ?? {};

  describe(check.id, () => {
    for (const { fields, pattern } of passes) {
      it(`passes a policy with ${JSON.stringify(fields)}`, () => {
        assertVerdicts(evaluate(passwordPolicy(fields)), ['PASS', 'pol-default', pattern, required]);
      });
    }

    for (const { fields, pattern } of fails) {
      it(`fails a policy with ${JSON.stringify(fields)}`, () => {
        assertVerdicts(evaluate(passwordPolicy(fields)), ['FAIL', 'pol-default', pattern, required]);
      });
    }

    it('returns one FAIL if the organization has no password policy', () => {
      const [verdict] = evaluate();
      assertVerdicts(evaluate(), [
        'FAIL',
        'password-policies-missing',
        /Directory organization has no active/,
        required,
      ]);
      assert.equal(verdict?.resource.name, '(no active password policies)');
    });

    it('returns one FAIL if all password policies are inactive', () => {
      assertVerdicts(evaluate(passwordPolicy({ status: 'INACTIVE' })), ['FAIL', 'password-policies-missing']);
    });

    it('evaluates active password policies in priority order and ignores inactive policies', () => {
      const verdicts = evaluate(
        passwordPolicy({ id: 'last', name: 'Unranked', priority: null, status: null }),
        passwordPolicy({ id: 'two-b', name: 'B', priority: 2, status: 'active', ...failing }),
        passwordPolicy({ id: 'off', name: 'Off', priority: 1, status: 'INACTIVE', ...failing }),
        passwordPolicy({ id: 'two-a', name: 'A', priority: 2, status: '', system: false }),
      );
      assertVerdicts(
        verdicts,
        ['PASS', 'two-a', /^The password policy "A" \(priority 2, custom\) /],
        ['FAIL', 'two-b', /^The password policy "B" \(priority 2, default\) /],
        ['PASS', 'last', /^The password policy "Unranked" \(priority unset, default\) /],
      );
      assert.deepEqual(
        verdicts[0]?.resource.data,
        passwordPolicy({ id: 'two-a', name: 'A', priority: 2, status: '', system: false }),
      );
    });

    it('returns MANUAL for a policy that applies to users from a connected directory', () => {
      for (const [authProvider, directory] of [
        ['ACTIVE_DIRECTORY', 'Active Directory'],
        ['ldap', 'LDAP'],
      ] as const) {
        const verdicts = evaluate(
          passwordPolicy({ authProvider, ...failing }),
          passwordPolicy({ id: 'own' }),
        );
        const pattern = new RegExp(
          `^Not applicable: password policy .* applies to users of ${directory}, which`,
        );
        assertVerdicts(verdicts, ['MANUAL', 'pol-default', pattern], ['PASS', 'own']);
      }
    });

    it('returns MANUAL and reports the missing scope', () => {
      const passwordPolicies = unread<readonly PasswordPolicy[]>(scopeMissing('directory.policies.read'));
      const verdicts = check.evaluate(contextOf({ passwordPolicies }));
      assertVerdicts(verdicts, [
        'MANUAL',
        'password-policies-scope-missing',
        /directory\.policies\.read/,
        required,
      ]);
      assert.equal(verdicts[0]?.resource.name, '(scope not granted)');
    });

    it('returns MANUAL with the reason when the password policies could not be read', () => {
      for (const { problem, pattern } of FAILED_READS) {
        const verdicts = check.evaluate(
          contextOf({ passwordPolicies: unread<readonly PasswordPolicy[]>(problem) }),
        );
        assertVerdicts(verdicts, ['MANUAL', 'password-policies-retrieval-error', pattern, required]);
      }
    });
  });
}
