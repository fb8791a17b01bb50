import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { redactApiKeys } from '../access/redact-api-keys.ts';

/** What can stand in a log, a header and a shell without doing anything there. */
export const SAFE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that a client or a proxy has given the request, where it is harmless and holds no key; a new one otherwise. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && isHarmless(given) ? given : randomUUID();
}

function isHarmless(id: string): boolean {
  return SAFE_ID.test(id) && redactApiKeys(id) === id;
}
