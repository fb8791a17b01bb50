import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/apitoken/apitoken-not-super-admin.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { ApiToken } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { apiToken, tokens, tokensUnread } from './api-token.ts';

const evaluate = (...items: readonly ApiToken[]) =>
  check.evaluate(contextOf({ apiTokens: tokens(...items) }));
const noGroups = unread<readonly string[]>(scopeMissing('directory.groups.read'));
const noRoles = unread<readonly string[]>(scopeMissing('directory.roles.read'));

describe(check.id, () => {
  it('passes a token whose owner has other roles and lists each role once', () => {
    const token = apiToken({
      directRoles: read(['READ_ONLY_ADMIN']),
      inheritedRoles: [read(['READ_ONLY_ADMIN', 'APP_ADMIN'])],
    });
    assertVerdicts(evaluate(token), [
      'PASS',
      'tok-1',
      /^Owner user-1 .* only these admin roles: READ_ONLY_ADMIN, APP_ADMIN\./,
    ]);
  });

  it('passes a token whose owner has no admin roles', () => {
    assertVerdicts(evaluate(apiToken({ directRoles: read([]) })), ['PASS', 'tok-1', /has no admin roles/]);
  });

  it('fails a token whose owner is a Super Administrator, regardless of how the role is spelled', () => {
    for (const role of [
      'SUPER_ADMIN',
      'super_admin',
      ' Super Admin ',
      'Super Administrator',
      'SUPER_ADMINISTRATOR',
    ]) {
      const [verdict] = evaluate(apiToken({ directRoles: read(['APP_ADMIN', role]) }));
      assert.equal(verdict?.status, 'FAIL', role);
      assert.match(verdict.detail, /^Owner user-1 of API token "Sync" has the role /);
    }
  });

  it("fails a token whose owner is a Super Administrator through one group, even if another group's roles could not be read", () => {
    const token = apiToken({ inheritedRoles: [noRoles, read(['SUPER_ADMIN'])] });
    assertVerdicts(evaluate(token), ['FAIL', 'tok-1', /SUPER_ADMIN/]);
  });

  it('fails a token whose owner is a Super Administrator through a group', () => {
    assertVerdicts(evaluate(apiToken({ inheritedRoles: [read(['SUPER_ADMIN'])] })), [
      'FAIL',
      'tok-1',
      /SUPER_ADMIN\./,
    ]);
  });

  it('does not treat a role whose name contains SUPER_ADMIN as Super Administrator', () => {
    assertVerdicts(evaluate(apiToken({ directRoles: read(['NOT_SUPER_ADMIN_AT_ALL']) })), ['PASS', 'tok-1']);
  });

  it("returns MANUAL, not PASS, if the token owner's roles could not be read", () => {
    assertVerdicts(evaluate(apiToken({ directRoles: noRoles, inheritedRoles: [noRoles] })), [
      'MANUAL',
      'tok-1',
      /owner user-1 of API token "Sync" could not be read/,
      /directory\.roles\.read/,
    ]);
    for (const { problem, pattern } of FAILED_READS) {
      assertVerdicts(evaluate(apiToken({ directRoles: unread(problem) })), ['MANUAL', 'tok-1', pattern]);
      assertVerdicts(evaluate(apiToken({ inheritedRoles: [unread(problem)] })), [
        'MANUAL',
        'tok-1',
        /group roles/,
        pattern,
      ]);
    }
  });

  it('returns MANUAL and reports the missing scope if only the inherited roles could not be read', () => {
    const token = apiToken({ inheritedRoles: [noGroups] });
    assertVerdicts(evaluate(token), ['MANUAL', 'tok-1', /group roles/, /directory\.groups\.read/]);
  });

  it('fails a token whose owner is known to be a Super Administrator, even if other roles could not be read', () => {
    assertVerdicts(evaluate(apiToken({ directRoles: read(['SUPER_ADMIN']), inheritedRoles: [noGroups] })), [
      'FAIL',
      'tok-1',
    ]);
    assertVerdicts(evaluate(apiToken({ directRoles: noRoles, inheritedRoles: [read(['SUPER_ADMIN'])] })), [
      'FAIL',
      'tok-1',
    ]);
  });

  it('returns MANUAL if the token has no owner', () => {
    for (const roles of [read<readonly string[]>([]), noRoles]) {
      const token = apiToken({ userId: null, directRoles: roles, inheritedRoles: [roles] });
      assertVerdicts(evaluate(token), ['MANUAL', 'tok-1', /does not identify its owner/]);
    }
  });

  it('returns one verdict per token in API order', () => {
    const verdicts = evaluate(
      apiToken({ id: 'b', name: 'B', directRoles: read(['SUPER_ADMIN']) }),
      apiToken({ id: 'a', name: 'A' }),
    );
    assertVerdicts(verdicts, ['FAIL', 'b'], ['PASS', 'a']);
    assert.deepEqual(
      verdicts.map(({ resource }) => resource.name),
      ['B', 'A'],
    );
  });

  it('returns one PASS if the organization has no tokens', () => {
    assertVerdicts(evaluate(), ['PASS', 'api-tokens-none', /has no API tokens/]);
  });

  it('returns MANUAL and reports all required scopes if the scope for API tokens is missing', () => {
    for (const [dialect, further] of [
      ['directory', /also needs the scopes directory\.roles\.read and directory\.groups\.read\.$/],
      ['okta', /also needs the scope okta\.roles\.read\.$/],
    ] as const) {
      const apiTokens = tokensUnread(scopeMissing(`${dialect}.apiTokens.read`));
      assertVerdicts(check.evaluate(contextOf({ apiTokens }, { dialect })), [
        'MANUAL',
        'api-tokens-scope-missing',
        new RegExp(`${dialect}\\.apiTokens\\.read`),
        further,
      ]);
    }
  });

  it('explains how to request a scope that is not in the default scopes', () => {
    const unlisted = unread<readonly string[]>(scopeMissing('okta.users.read'));
    assertVerdicts(evaluate(apiToken({ inheritedRoles: [unlisted] })), [
      'MANUAL',
      'tok-1',
      /Grant the scope okta\.users\.read to the service app, add it to --directory-scopes/,
    ]);
  });

  it('returns MANUAL with the reason when the tokens could not be read', () => {
    for (const { problem, pattern } of FAILED_READS) {
      const verdicts = check.evaluate(contextOf({ apiTokens: tokensUnread(problem) }));
      assertVerdicts(verdicts, ['MANUAL', 'api-tokens-retrieval-error', pattern]);
    }
  });
});
