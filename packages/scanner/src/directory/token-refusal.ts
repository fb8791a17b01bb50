import { z } from 'zod';
import { oneLine, parseJson } from '../http/response-text.ts';
import { ScannerError } from '../lib/errors.ts';
import type { OrgAddress } from './org-address.ts';
import type { DirectoryResponse } from './response.ts';

type Refuse = (code: string, message: string) => ScannerError;

const errorSchema = z.object({
  error: z.string(),
  error_description: z.string().optional().catch(undefined),
});

/**
 * Converts an error from the token endpoint (RFC 6749, section 5.2, and the vendor's `consent_required`) to an error
 * with advice for the service app.
 */
export function tokenRefusal(
  response: DirectoryResponse,
  {
    clientId,
    origin,
    scopes,
  }: OrgAddress & { readonly clientId: string; readonly scopes: readonly string[] },
  cause?: unknown,
): ScannerError {
  const body = errorSchema.safeParse(parseJson(response.text));
  const refuse = (code: string, message: string) => new ScannerError(code, message, { cause });
  if (!body.success) return unexpectedResponse(response, origin, refuse);
  const { error, error_description: description } = body.data;
  const reason = oneLine(description === undefined ? error : `${error}: ${description}`);
  switch (error) {
    case 'invalid_client':
      return invalidClient(description ?? '', reason, clientId, refuse);
    case 'invalid_scope':
    case 'consent_required':
      return refuse(
        'scope_not_granted',
        `The directory does not grant the scopes ${scopes.join(', ')} (${reason}): grant them to the service app in the admin console, or request only granted scopes in DIRECTORY_SCOPES.`,
      );
    case 'unauthorized_client':
    case 'unsupported_grant_type':
    case 'access_denied':
      return refuse(
        'client_not_allowed',
        `The client ${clientId} is not allowed to use client credentials (${reason}): it must be an active app integration of type API Services with public key / private key client authentication.`,
      );
    case 'invalid_dpop_proof':
    case 'use_dpop_nonce':
      return refuse(
        'dpop_refused',
        `The directory rejects the DPoP proof (${reason}): check this machine's clock.`,
      );
    default:
      return refuse(
        'token_refused',
        `The directory did not issue an access token (${response.status}, ${reason}).`,
      );
  }
}

function unexpectedResponse({ status }: DirectoryResponse, origin: string, refuse: Refuse): ScannerError {
  if (status === 429)
    return refuse(
      'rate_limited',
      `${origin} still rejects token requests because of its rate limit (429): scan again in a few minutes.`,
    );
  if (status >= 500)
    return refuse('directory_unavailable', `${origin} is unavailable (${status}): scan again later.`);
  return refuse(
    'not_a_directory',
    `${origin} responded to the token request with ${status} and no token: check that DIRECTORY_ORG_DOMAIN (or DIRECTORY_ORG_URL) is the address of a directory organization.`,
  );
}

/** Not all servers return details with this error. Without details, the message names both possible causes. */
function invalidClient(description: string, reason: string, clientId: string, refuse: Refuse): ScannerError {
  if (/expired|\bexp\b|\biat\b|issued|future/i.test(description))
    return refuse(
      'wrong_clock',
      `The directory rejects the time in the client assertion (${reason}): correct this machine's clock.`,
    );
  if (/client_assertion|assertion|signature|\bkey\b|\bkeys\b|\bkid\b|jwks?\b/i.test(description))
    return refuse(
      'key_not_accepted',
      `The directory does not accept the private key for the client ${clientId} (${reason}): register its public key with the service app and make sure that it is active, or use the registered key.`,
    );
  if (
    /client_id|client .*(not found|unknown|does not exist)|(unknown|invalid|no such) client/i.test(
      description,
    )
  )
    return refuse(
      'unknown_client',
      `The directory does not recognize the client ${clientId} (${reason}): check DIRECTORY_CLIENT_ID and the domain of the organization.`,
    );
  return refuse(
    'invalid_client',
    `The directory does not accept the client ${clientId} (${reason}): check DIRECTORY_CLIENT_ID, and that the public key of the private key is registered with the service app.`,
  );
}
