/** Random numbers from 0 to `below - 1` that are the same in each run. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Returns one of the values. */
export function pickFrom<Value>(random: (below: number) => number, values: readonly Value[]): Value {
  const value = values[random(values.length)];
  if (value === undefined) throw new TypeError('there is nothing to pick from');
  return value;
}
