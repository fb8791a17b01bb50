import pg from 'pg';
import { OperatorError } from '../lib/errors.ts';

export interface SessionClientConfig extends pg.ClientConfig {
  /** Whether to authenticate only with SCRAM-SHA-256-PLUS (libpq's `channel_binding=require`). */
  readonly requireChannelBinding?: boolean;
}

const BOUND = 'SCRAM-SHA-256-PLUS';

/** A connection that may break between two statements; the next statement then rejects, without an error code. */
export class SessionClient extends pg.Client {
  /** Why the connection is broken. */
  fault: Error | undefined;

  constructor({ requireChannelBinding = false, ...config }: SessionClientConfig) {
    super(config);
    // Without a listener, a connection that breaks between two statements would terminate the process.
    this.on('error', (error) => {
      this.fault = error;
    });
    if (requireChannelBinding) rejectUnbound(this.connection);
  }
}

/**
 * Returns why a connection is broken, if it is. A listener for its `error` event is not enough, because the connection may
 * break between its opening and the moment at which the pool hands it over.
 */
export function faultOf(client: pg.ClientBase): Error | undefined {
  return client instanceof SessionClient ? client.fault : undefined;
}

/** Closes the connection if the server requests or accepts authentication without channel binding. */
function rejectUnbound(connection: pg.Connection): void {
  let isBound = false;
  const reject = () => {
    connection.stream.destroy(
      new OperatorError(
        'DATABASE_URL has channel_binding=require, but the server did not offer channel binding; it requires TLS and a role whose password is stored as scram-sha-256',
      ),
    );
  };
  // Prepended to run before pg's own listeners, which send the password.
  connection.prependListener('authenticationCleartextPassword', reject);
  connection.prependListener('authenticationMD5Password', reject);
  connection.prependListener('authenticationSASL', ({ mechanisms }: { mechanisms: readonly string[] }) => {
    isBound = mechanisms.includes(BOUND);
    if (!isBound) reject();
  });
  connection.prependListener('authenticationOk', () => {
    if (!isBound) reject();
  });
}
