/** Limits the number of concurrent tasks. Waiting tasks run in order. */
export class Concurrency {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  async run<Value>(task: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
