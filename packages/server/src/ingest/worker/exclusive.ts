/** A resource that only one task at a time may use. */
export class Exclusive<Resource> {
  readonly #resource: Resource;
  #last: Promise<void> = Promise.resolve();

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /**
   * Runs the task after all previously passed tasks, and returns its result. A failed task does not affect later tasks.
   */
  async use<Result>(work: (resource: Resource) => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      return await work(this.#resource);
    } finally {
      resolve();
    }
  }
}
