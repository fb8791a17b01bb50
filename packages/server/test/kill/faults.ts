/** The detected faults, one sentence each. */
export class Faults {
  readonly all: string[] = [];
  /** Missing records, findings, or uploads with a 202. */
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

  /** Adds a fault unless the two values are equal. */
  expectSame(label: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.add(`${label}: got ${is}, expected ${should}`);
  }
}
