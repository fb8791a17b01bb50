import type { Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/** Limits the number of log lines during a flood of connections. */
const LOG_INTERVAL_MS = 60_000;

/** Closes new connections beyond the maximum. Open connections are not affected. */
export function limitConnections(server: Server, max: number, log: FastifyBaseLogger): void {
  server.maxConnections = max;
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    dropped += 1;
    const now = performance.now();
    if (now - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now;
    log.warn(
      { max, dropped },
      'new connections were closed because the SLUICE_MAX_CONNECTIONS limit has been reached',
    );
    dropped = 0;
  });
}
