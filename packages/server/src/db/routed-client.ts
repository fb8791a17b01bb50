import type pg from 'pg';
import type { Candidate } from './connection-candidates.ts';
import { SessionClient } from './session-client.ts';

export interface Routes {
  readonly config: pg.ClientConfig;
  readonly candidates: readonly Candidate[];
  /** Tries the candidates in order and resolves with the first usable candidate. */
  readonly find: () => Promise<Candidate>;
  readonly prepare: (client: pg.ClientBase) => Promise<void>;
}

/**
 * Creates the client class of a pool. Its connections have the role and settings of the service's sessions. The usable
 * candidate is determined once, and again if a connection cannot be opened.
 */
export function createRoutedClient({ config, candidates, find, prepare }: Routes): new () => pg.ClientBase {
  let known = candidates.length === 1 ? candidates[0] : undefined;
  let finding: Promise<Candidate> | undefined;
  const findOnce = () => {
    finding ??= find().finally(() => {
      finding = undefined;
    });
    return finding;
  };

  return class RoutedClient extends SessionClient {
    constructor() {
      super({ ...config, ...(known ?? candidates[0])?.config });
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      connected.then(
        () => Reflect.apply(callback, undefined, []),
        (error) => callback(error instanceof Error ? error : new Error(String(error))),
      );
      return undefined;
    }

    async #connect(): Promise<this> {
      known ??= await findOnce();
      const { host, port, ssl } = known.config;
      // pg reads these properties when it connects; it offers no other way to choose the server after construction.
      Object.assign(this, { ...(host !== undefined && { host }), port, ssl });
      Object.assign(Reflect.get(this, 'connection'), { ssl });
      try {
        await super.connect();
        await prepare(this);
        return this;
      } catch (error) {
        if (candidates.length > 1) known = undefined;
        void this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}
