/** What several pieces of work need, but only one at a time may have. */
export class Exclusive<Resource> {
  readonly #resource: Resource;
  #last: Promise<void> = Promise.resolve();

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /** What the work gives, when it was its turn: the order is that of the calls. Work that fails lets the next go on. */
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
