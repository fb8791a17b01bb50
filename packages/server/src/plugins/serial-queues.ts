/** Does work for somebody after all that was begun for the same before; the result, or the error, is that of the work. */
export type InTurn = <Result>(whose: string, work: () => Promise<Result>) => Promise<Result>;

/** Turns that keep nothing of those for whom nothing is under way. */
export function createSerialQueues(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (whose, work) => {
    const before = last.get(whose);
    const result = before === undefined ? work() : before.then(work);
    // Whoever comes next waits for the end of this, also for a bad one, which is told to its own caller.
    const ended = result.then(nothing, nothing);
    last.set(whose, ended);
    try {
      return await result;
    } finally {
      if (last.get(whose) === ended) last.delete(whose);
    }
  };
}

function nothing(): void {}
