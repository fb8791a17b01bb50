import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { redactApiKeys } from './redact-api-keys.ts';

/** Ids without special characters, safe in logs, headers and shells. */
export const SAFE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the request id from the client or a proxy if it is safe and contains no API key; otherwise a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && isSafe(given) ? given : randomUUID();
}

function isSafe(id: string): boolean {
  return SAFE_ID.test(id) && redactApiKeys(id) === id;
}
