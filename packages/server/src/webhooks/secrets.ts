import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks, "Signature scheme": between 24 and 64 bytes. */
const SECRET_BYTES = 32;

/** A message of Standard Webhooks, as it is signed. */
export interface SignedMessage {
  /** The `webhook-id`, which must not contain a dot. */
  readonly id: string;
  /** The time of the attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Generates a random secret: `whsec_` and Base64. */
export function createSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The `webhook-signature` of a message: one signature per secret, separated by spaces. */
export function sign({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
