import pg from 'pg';
import type { Armed, FaultPoint } from './fault-point.ts';
import { type Message, MessageSplitter, textMessage } from './message-splitter.ts';
import { type Relay, startRelay } from './relay.ts';

/**
 * The fault to inject into a statement. `rejected`: the server returns an error without running the statement.
 * `rejected twice`: the server also rejects the next statement in the session, usually a rollback. Both errors are
 * internal errors. `lost`: the statement is not run, because the server ends the session (57P01) or the connection
 * breaks, alternately. `unknown`: the server runs the statement, but the connection breaks before the response.
 */
export type StatementFault = 'rejected' | 'rejected twice' | 'lost' | 'unknown';

export interface FailingStatements extends FaultPoint, Relay {
  fault: StatementFault;
  /** Whether to count a statement. */
  counts: (text: string) => boolean;
}

/** Error codes, used in rotation: a conflict, out of memory, disk full, a timeout, too many connections. */
const SQLSTATES = ['40001', '53200', '53100', '57014', '53300'] as const;
/** A server error without a specific cause. */
const INTERNAL_ERROR = 'XX000';
/** Messages that the server sends after it has run a statement, or when it waits for the rows of a COPY. */
const RESPONDED = new Set(['Z', 'G']);

const END_OF_COPY = 'end of copy';
/** The messages of an extended query, which end with a Sync. */
const BEFORE_SYNC = new Set(['P', 'B', 'D', 'E', 'C', 'H']);

/** Starts a relay between a service and PostgreSQL that makes the n-th statement fail. */
export async function startFailingStatements(target: string): Promise<FailingStatements> {
  const admin = new pg.Client({ connectionString: target });
  await admin.connect();
  let armedAt = 0;
  /** Counts the calls to `arm`, so that a pending fault does not affect the next run. */
  let run = 0;
  let calls = 0;
  let failed: string | undefined;

  const relay = await startRelay(target, (client, upstream) => {
    const fromClient = new MessageSplitter(false);
    const fromServer = new MessageSplitter(true);
    let backend = 0;
    let isUnknown = false;
    let rejectNextInRun = 0;
    let group: Message[] = [];

    upstream.on('data', (bytes: Buffer) => {
      if (!isUnknown) client.write(bytes);
      // The response to an encryption request is a single byte, not a message.
      if (backend === 0 && bytes.length === 1) return;
      for (const message of fromServer.push(bytes)) {
        if (message.type === 'K') backend = message.bytes.readInt32BE(5);
        if (isUnknown && RESPONDED.has(message.type)) client.destroy();
      }
    });
    client.on('data', (bytes: Buffer) => {
      for (const message of fromClient.push(bytes)) {
        group.push(message);
        if (BEFORE_SYNC.has(message.type)) continue;
        const completeGroup = group;
        group = [];
        send(completeGroup);
      }
    });

    function send(messages: readonly Message[]): void {
      const bytes = Buffer.concat(messages.map((message) => message.bytes));
      const text = statementOf(messages);
      if (text !== undefined && armedAt !== 0 && rejectNextInRun === run) {
        rejectNextInRun = 0;
        return void upstream.write(rejection(text, INTERNAL_ERROR));
      }
      if (text === undefined || armedAt === 0 || !faults.counts(text) || ++calls !== armedAt)
        return void upstream.write(bytes);
      failed = `${text} (${faults.fault})`;
      switch (faults.fault) {
        case 'rejected':
          return void upstream.write(rejection(text, SQLSTATES[calls % SQLSTATES.length] ?? INTERNAL_ERROR));
        case 'rejected twice':
          rejectNextInRun = run;
          return void upstream.write(rejection(text, INTERNAL_ERROR));
        case 'lost':
          if (calls % 2 === 0) return void client.destroy();
          return void admin.query('select pg_terminate_backend($1::int)', [backend]);
        case 'unknown':
          isUnknown = true;
          return void upstream.write(bytes);
      }
    }
  });

  const faults: FailingStatements = {
    url: relay.url,
    fault: 'rejected',
    counts: () => true,
    arm: async (n) => {
      run++;
      [armedAt, calls, failed] = [n === 0 ? Number.POSITIVE_INFINITY : n, 0, undefined];
    },
    disarm: async (): Promise<Armed> => {
      armedAt = 0;
      return { calls, failed };
    },
    stop: async () => {
      await relay.stop();
      await admin.end();
    },
  };
  return faults;
}

/**
 * Returns the SQL of the messages, or a placeholder for the end of a COPY; `undefined` if the messages contain no
 * statement.
 */
function statementOf(messages: readonly Message[]): string | undefined {
  const [first] = messages;
  if (first?.type === 'c') return END_OF_COPY;
  if (first?.type !== 'Q' && first?.type !== 'P') return undefined;
  const text = first.bytes.toString('utf8', 5).split('\0');
  return (first.type === 'Q' ? text[0] : text[1])?.replace(/\s+/g, ' ').trim();
}

/**
 * Returns replacement messages that make the server itself raise the error, so that the transaction state is
 * realistic.
 */
function rejection(text: string, code: string): Buffer {
  if (text === END_OF_COPY) return textMessage('f', 'injected fault');
  const raise = `do $$ begin raise exception using errcode = '${code}', message = 'injected fault'; end $$`;
  // A failed commit ends the transaction.
  if (text === 'commit') return textMessage('Q', `rollback; ${raise}`);
  // With several statements, makes the second statement fail, because a failure of the first would not differ from the
  // failure of a single statement.
  const [first = '', ...others] = text.split(';');
  return textMessage('Q', others.length > 0 ? `${first}; ${raise}` : raise);
}
