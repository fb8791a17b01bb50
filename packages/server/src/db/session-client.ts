import pg from 'pg';
import { OperatorError } from '../operator-error.ts';

export interface SessionClientConfig extends pg.ClientConfig {
  /** Whether to authenticate by SCRAM-SHA-256-PLUS only (libpq's `channel_binding=require`). */
  readonly requireChannelBinding?: boolean;
}

const BOUND = 'SCRAM-SHA-256-PLUS';

/** A connection that may break between two statements; the next statement then rejects. */
export class SessionClient extends pg.Client {
  constructor({ requireChannelBinding = false, ...config }: SessionClientConfig) {
    super(config);
    // Without a listener, a connection that breaks between two statements would end the process.
    this.on('error', () => undefined);
    if (requireChannelBinding) refuseUnbound(this.connection);
  }
}

/** Closes the connection if the server requests or accepts an authentication that is not bound to the TLS channel. */
function refuseUnbound(connection: pg.Connection): void {
  let isBound = false;
  const refuse = () => {
    connection.stream.destroy(
      new OperatorError(
        'DATABASE_URL has channel_binding=require, which the server does not support; it needs TLS and a role whose password is stored as scram-sha-256',
      ),
    );
  };
  // Prepended, because pg's own listeners send the password.
  connection.prependListener('authenticationCleartextPassword', refuse);
  connection.prependListener('authenticationMD5Password', refuse);
  connection.prependListener('authenticationSASL', ({ mechanisms }: { mechanisms: readonly string[] }) => {
    isBound = mechanisms.includes(BOUND);
    if (!isBound) refuse();
  });
  connection.prependListener('authenticationOk', () => {
    if (!isBound) refuse();
  });
}
