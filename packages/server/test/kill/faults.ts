/** What was found to be wrong, in sentences; of very many of one kind the first ones tell enough. */
export class Faults {
  readonly all: string[] = [];
  /** Uploads with a 202, records or findings that should be there and are not. */
  lost = 0;
  /** Jobs, records or findings that are there more often than they should be. */
  duplicated = 0;

  add(sentence: string): void {
    this.all.push(sentence);
  }

  addLost(count: number, sentence: string): void {
    this.lost += count;
    this.add(sentence);
  }

  addDuplicated(count: number, sentence: string): void {
    this.duplicated += count;
    this.add(sentence);
  }

  /** Says nothing where both are the same. */
  expectSame(what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.add(`${what}: it is ${is} and should be ${should}`);
  }
}
