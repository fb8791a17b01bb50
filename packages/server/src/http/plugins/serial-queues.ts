/** Runs a task after all earlier tasks of the same client, and returns the result of the task. */
export type RunInQueue = <Result>(client: string, task: () => Promise<Result>) => Promise<Result>;

/** Creates queues that run each client's tasks one after another. A queue exists only while it has tasks. */
export function createSerialQueues(): RunInQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (client, task) => {
    const before = last.get(client);
    const result = before === undefined ? task() : before.then(task);
    // The next task runs even if this task fails. Only the caller of this task receives the error.
    const ended = result.then(nothing, nothing);
    last.set(client, ended);
    try {
      return await result;
    } finally {
      if (last.get(client) === ended) last.delete(client);
    }
  };
}

function nothing(): void {}
