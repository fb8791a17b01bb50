const STORAGE_KEY = 'sluice.api-key';

/** Who is signed in, in this tab. */
export interface SessionState {
  readonly apiKey: string | undefined;
  /** Why there is none any more; in words for people. */
  readonly ended: string | undefined;
}

/**
 * The API key of this tab: it outlives a reload, and is gone with the tab (Web Storage, `sessionStorage`). It is never
 * part of an address, and is sent to the service that has served this page only.
 */
export class Session {
  readonly #storage: Storage;
  readonly #listeners = new Set<() => void>();
  #state: SessionState;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#state = { apiKey: storage.getItem(STORAGE_KEY) ?? undefined, ended: undefined };
  }

  get state(): SessionState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(apiKey: string): void {
    this.#storage.setItem(STORAGE_KEY, apiKey);
    this.#become({ apiKey, ended: undefined });
  }

  /** `reason` is shown where the next key is asked for. */
  end(reason?: string): void {
    this.#storage.removeItem(STORAGE_KEY);
    this.#become({ apiKey: undefined, ended: reason });
  }

  #become(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
