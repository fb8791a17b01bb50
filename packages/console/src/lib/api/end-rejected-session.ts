import type { Session } from '../session.ts';

interface Options {
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly session: Session;
}

/**
 * Ends the session after a 401 to a request with this `Authorization`, unless the key is only narrowed: the service
 * answers 401 to that, too (README, "API"), and to nothing else where any key is enough, which is asked here.
 */
export async function endRejectedSession(
  { baseUrl, session }: Options,
  sentWith: string,
  reason: string,
): Promise<void> {
  const { apiKey } = session.state;
  const answer = await fetch(`${baseUrl}/api/v1/subscription`, {
    headers: { authorization: sentWith },
  }).catch((error: unknown) => error);
  // No answer: whoever asks next will know.
  if (!(answer instanceof Response) || answer.status !== 401) return;
  if (session.state.apiKey === apiKey) session.end(reason);
}
