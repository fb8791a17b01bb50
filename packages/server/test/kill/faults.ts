/** The faults that were found, as sentences. Only the first ones of each type are kept. */
export class Faults {
  readonly all: string[] = [];
  /** Missing uploads with a 202, records or findings. */
  lost = 0;
  /** Duplicate jobs, records or findings. */
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

  /** Adds nothing if both are equal. */
  expectSame(what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.add(`${what}: it is ${is} and should be ${should}`);
  }
}
