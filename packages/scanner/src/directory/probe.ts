import { ScannerError } from '../lib/errors.ts';
import { type Dialect, type ScopeResource, scopeName } from './dialect.ts';
import type { ManagementApi } from './management-api.ts';
import { type DirectoryResponse, errorText, isFeatureMissing, isHtml, readResponse } from './response.ts';

type Probe = readonly [scope: ScopeResource, path: string, query: Readonly<Record<string, string>>];

/**
 * Tests access with the first read whose scope is granted, because a token does not show whether the app has an admin
 * role. Throws a ScannerError that describes the missing scope or role.
 */
export async function probe(
  api: ManagementApi,
  {
    clientId,
    origin,
    grantedScopes,
  }: {
    readonly clientId: string;
    readonly origin: string;
    readonly grantedScopes: readonly string[] | undefined;
  },
): Promise<void> {
  const granted = probes(api.dialect).filter(
    ([scope]) => grantedScopes === undefined || grantedScopes.includes(scopeName(api.dialect, scope)),
  );
  if (granted.length === 0)
    throw new ScannerError(
      'scope_not_granted',
      `None of the granted scopes (${grantedScopes?.join(', ')}) allows the scanner to read anything: grant ${scopeName(api.dialect, 'policies')} and the other scopes to the service app.`,
    );
  for (const [scope, path, query] of granted) {
    const response = await api.get(path, query);
    // A missing feature does not show whether the app has a role, so the next read is attempted.
    if (isFeatureMissing(response)) continue;
    const refusal = refusalOf(response, { clientId, origin, path, scope: scopeName(api.dialect, scope) });
    if (refusal !== undefined) throw refusal;
    return;
  }
}

/** Inexpensive reads that require an admin role. Without such a role, the app cannot list its own roles. */
function probes({ sessionPolicyType }: Dialect): readonly Probe[] {
  return [
    ['policies', '/api/v1/policies', { type: sessionPolicyType, limit: '1' }],
    ['brands', '/api/v1/brands', { limit: '1' }],
    ['apps', '/api/v1/apps', { limit: '1' }],
    ['authenticators', '/api/v1/authenticators', {}],
    ['networkZones', '/api/v1/zones', { limit: '1' }],
    ['apiTokens', '/api/v1/api-tokens', {}],
    ['groups', '/api/v1/groups', { limit: '1' }],
    ['logStreams', '/api/v1/logStreams', { limit: '1' }],
    ['idps', '/api/v1/idps', { limit: '1' }],
  ];
}

function refusalOf(
  response: DirectoryResponse,
  { clientId, origin, path, scope }: Readonly<Record<'clientId' | 'origin' | 'path' | 'scope', string>>,
): ScannerError | undefined {
  const { status, headers } = response;
  const text = errorText(response);
  const result = `GET ${path} returned ${status}${text === '' ? '' : `, ${text}`}`;
  const notADirectory = () =>
    new ScannerError(
      'not_a_directory',
      `${origin} does not look like a directory (${result}): check DIRECTORY_ORG_DOMAIN (or DIRECTORY_ORG_URL).`,
    );
  if (isHtml(response) || status === 404) return notADirectory();
  if (status === 403 && /insufficient_scope/.test(headers.get('www-authenticate') ?? ''))
    return new ScannerError(
      'scope_not_granted',
      `The service app ${clientId} lacks the scope ${scope} (${result}): grant it in the admin console.`,
    );
  if (status === 403)
    return new ScannerError(
      'no_admin_role',
      `The service app ${clientId} can sign in but has no read access (${result}): assign it an admin role, at least Read-Only Administrator.`,
    );
  if (status === 401)
    return new ScannerError(
      'token_not_accepted',
      `${origin} rejects the access token that it issued (${result}): check this machine's clock, and that the service app ${clientId} is active.`,
    );
  if (status === 429)
    return new ScannerError(
      'rate_limited',
      `${origin} still rejects requests because of its rate limit (${result}): scan again in a few minutes, or with fewer requests per second.`,
    );
  if (status >= 500)
    return new ScannerError(
      'directory_unavailable',
      `${origin} is unavailable (${result}): scan again later.`,
    );
  const body = readResponse(response, { name: path, scope, isFeature: true });
  return body.kind === 'unread' || !Array.isArray(body.value) ? notADirectory() : undefined;
}
