import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import type { Armed, FaultPoint } from './fault-point.ts';
import { type Message, MessageSplitter, textMessage } from './message-splitter.ts';

/**
 * What happens to a statement. `refused`: the server responds with an error and runs nothing. `refused twice`: so it does
 * to the next one of the session, which as a rule is a rollback, both times with an internal error. `lost`: the server ends the session (57P01), or the
 * connection breaks, in turn, and the server runs nothing. `unknown`: the server runs it, and the connection breaks before
 * the client hears of it.
 */
export type StatementFault = 'refused' | 'refused twice' | 'lost' | 'unknown';

export interface FailingStatements extends FaultPoint {
  /** Of the proxy. */
  readonly url: string;
  fault: StatementFault;
  /** Which statements are counted. */
  counts: (text: string) => boolean;
  readonly stop: () => Promise<void>;
}

/** Codes of refusals, in turn: a conflict, no memory, a full disk, a time limit, no connection left. */
const SQLSTATES = ['40001', '53200', '53100', '57014', '53300'] as const;
/** A fault of the server that says nothing of its cause. */
const INTERNAL_ERROR = 'XX000';
/** The server has run a statement, or waits for the rows of a COPY. */
const RESPONDED = new Set(['Z', 'G']);

const END_OF_COPY = 'end of copy';
/** The messages of an extended query belong together, up to their Sync. */
const BEFORE_SYNC = new Set(['P', 'B', 'D', 'E', 'C', 'H']);

/** Stands between a service and PostgreSQL, and makes the n-th statement fail. Each statement is one of its messages. */
export async function startFailingStatements(target: string): Promise<FailingStatements> {
  const admin = new pg.Client({ connectionString: target });
  await admin.connect();
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let armedAt = 0;
  /** Counts the calls of `arm`: what is left of one must not fail in the next. */
  let run = 0;
  let calls = 0;
  let failed: string | undefined;

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Broken connections are what this is for.
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.end());
    const fromClient = new MessageSplitter(false);
    const fromServer = new MessageSplitter(true);
    let backend = 0;
    let isUnknown = false;
    let refusesNextIn = 0;
    let group: Message[] = [];

    upstream.on('data', (bytes: Buffer) => {
      if (!isUnknown) client.write(bytes);
      // The response to a request for encryption is one byte, which is no message.
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
        const whole = group;
        group = [];
        send(whole);
      }
    });

    function send(messages: readonly Message[]): void {
      const bytes = Buffer.concat(messages.map((message) => message.bytes));
      const text = statementOf(messages);
      if (text !== undefined && armedAt !== 0 && refusesNextIn === run) {
        refusesNextIn = 0;
        return void upstream.write(refusal(text, INTERNAL_ERROR));
      }
      if (text === undefined || armedAt === 0 || !faults.counts(text) || ++calls !== armedAt)
        return void upstream.write(bytes);
      failed = `${text} (${faults.fault})`;
      switch (faults.fault) {
        case 'refused':
          return void upstream.write(refusal(text, SQLSTATES[calls % SQLSTATES.length] ?? INTERNAL_ERROR));
        case 'refused twice':
          refusesNextIn = run;
          return void upstream.write(refusal(text, INTERNAL_ERROR));
        case 'lost':
          if (calls % 2 === 0) return void client.destroy();
          return void admin.query('select pg_terminate_backend($1)', [backend]);
        case 'unknown':
          isUnknown = true;
          return void upstream.write(bytes);
      }
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);

  const faults: FailingStatements = {
    url: url.href,
    fault: 'refused',
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
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
      await admin.end();
    },
  };
  return faults;
}

/** The SQL, or the end of the rows of a COPY; `undefined` where the messages are no statement. */
function statementOf(messages: readonly Message[]): string | undefined {
  const [first] = messages;
  if (first?.type === 'c') return END_OF_COPY;
  if (first?.type !== 'Q' && first?.type !== 'P') return undefined;
  const text = first.bytes.toString('utf8', 5).split('\0');
  return (first.type === 'Q' ? text[0] : text[1])?.replace(/\s+/g, ' ').trim();
}

/** What is sent instead, so that the server itself says no and the transaction is in the state that it is in then. */
function refusal(text: string, code: string): Buffer {
  if (text === END_OF_COPY) return textMessage('f', 'the injected fault');
  const raise = `do $$ begin raise exception using errcode = '${code}', message = 'the injected fault'; end $$`;
  // A commit that fails has ended its transaction all the same.
  if (text === 'commit') return textMessage('Q', `rollback; ${raise}`);
  // Of several statements it is not the first: that would be nothing new.
  const [first = '', ...others] = text.split(';');
  return textMessage('Q', others.length > 0 ? `${first}; ${raise}` : raise);
}
