/** A map whose keys are pairs of texts. It is nested, because joining the texts at each lookup takes several times as long. */
export class PairMap<Value> {
  readonly #maps = new Map<string, Map<string, Value>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(first: string, second: string): Value | undefined {
    return this.#maps.get(first)?.get(second);
  }

  has(first: string, second: string): boolean {
    return this.#maps.get(first)?.has(second) === true;
  }

  set(first: string, second: string, value: Value): void {
    let map = this.#maps.get(first);
    if (map === undefined) {
      map = new Map();
      this.#maps.set(first, map);
    }
    if (!map.has(second)) this.#size++;
    map.set(second, value);
  }

  *values(): Generator<Value, void, undefined> {
    for (const map of this.#maps.values()) yield* map.values();
  }
}
