import { ClientDisconnected } from './client-disconnected.ts';

/**
 * Yields the values of a generator and logs an error that it throws, because an error during a response only closes the
 * connection. A stream that ends early because the client disconnected is not an error.
 */
export async function* logStreamFailure<Value>(
  stream: AsyncGenerator<Value, void>,
  log: (error: unknown) => void,
): AsyncGenerator<Value, void> {
  const next = async () => {
    try {
      return await stream.next();
    } catch (error) {
      if (!(error instanceof ClientDisconnected)) log(error);
      throw error;
    }
  };
  try {
    for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
  } finally {
    await stream.return();
  }
}
