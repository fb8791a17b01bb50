import type { Dialect, ScopeResource } from '../../directory/dialect.ts';
import { scopeName } from '../../directory/dialect.ts';
import type { ApiToken } from '../../directory/snapshot.ts';
import { type EvaluationContext, unreadResource, unreadVerdict, type Verdict } from '../check.ts';

export const API_TOKEN_REFERENCES = [
  'https://help.okta.com/en-us/Content/Topics/security/api.htm',
  'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/ApiToken/',
] as const;

/** The result of a check for one token. */
export type TokenEvaluation = Pick<Verdict, 'status' | 'detail'>;

/**
 * Returns one verdict per API token, or a single PASS verdict if the organization has no tokens, so that the check
 * always has a finding. If the tokens could not be read, returns a single MANUAL verdict, which also names
 * `furtherScopes` if a scope is missing.
 */
export function evaluateTokens(
  { snapshot, dialect }: EvaluationContext<'apiTokens'>,
  furtherScopes: readonly ScopeResource[],
  evaluateToken: (token: ApiToken) => TokenEvaluation,
): readonly Verdict[] {
  const { apiTokens } = snapshot;
  if (apiTokens.kind === 'unread') {
    const { problem } = apiTokens;
    const verdict = unreadVerdict(problem, unreadResource('api-tokens', problem), 'The API tokens');
    if (problem.cause !== 'scope') return [verdict];
    return [{ ...verdict, detail: `${verdict.detail} ${alsoNeeds(dialect, furtherScopes)}` }];
  }
  if (apiTokens.value.length === 0) {
    const detail = `The ${dialect.title} organization has no API tokens.`;
    return [{ status: 'PASS', detail, resource: NO_TOKENS }];
  }
  return apiTokens.value.map((token) => ({ ...evaluateToken(token), resource: tokenResource(token) }));
}

/** The resource to report in a verdict about this token. */
export function tokenResource(token: ApiToken): Verdict['resource'] {
  return { id: token.id, name: token.name, data: token };
}

const NO_TOKENS = { id: 'api-tokens-none', name: '(no API tokens)', data: null } as const;

function alsoNeeds(dialect: Dialect, scopes: readonly ScopeResource[]): string {
  const names = scopes.map((scope) => scopeName(dialect, scope)).join(' and ');
  return `The check also needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${names}.`;
}
