import type { Session } from '../session.ts';

interface Options {
  /** The URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly session: Session;
}

/**
 * Ends the session after a 401 response, unless the key is valid but lacks a permission, which the service also reports
 * as 401. To distinguish the two cases, the function requests the subscription, which any valid key can read.
 */
export async function endRejectedSession(
  { baseUrl, session }: Options,
  sentWith: string,
  reason: string,
): Promise<void> {
  const { apiKey } = session.state;
  const response = await fetch(`${baseUrl}/api/v1/subscription`, {
    headers: { authorization: sentWith },
  }).catch((error: unknown) => error);
  // Without a response, the next request will show whether the key is valid.
  if (!(response instanceof Response) || response.status !== 401) return;
  if (session.state.apiKey === apiKey) session.end(reason);
}
