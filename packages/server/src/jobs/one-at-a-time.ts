/** Lets one of several pieces of work run at a time, in the order in which they came. */
export class OneAtATime {
  #last: Promise<void> = Promise.resolve();

  /** What the work gives, when it was its turn; it fails as the work does, and the next goes on. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      return await work();
    } finally {
      resolve();
    }
  }
}
