const STORAGE_KEY = 'sluice.api-key';

/** This tab's sign-in state. */
export interface SessionState {
  readonly apiKey: string | undefined;
  /** Why the session ended, as a message for the user. */
  readonly ended: string | undefined;
}

/**
 * Stores this tab's API key in `sessionStorage`, so that the key survives a reload but is deleted when the tab is
 * closed. The key is never part of a URL, and is only sent to the service that served this page.
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
    this.#update({ apiKey, ended: undefined });
  }

  /** `reason` is shown on the sign-in page. */
  end(reason?: string): void {
    this.#storage.removeItem(STORAGE_KEY);
    this.#update({ apiKey: undefined, ended: reason });
  }

  #update(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
