import type { Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/** So that a flood of connections is no flood of log lines. */
const LOG_PAUSE_MS = 60_000;

/** Closes connections beyond the maximum as they come; the ones that are open stay as they are. */
export function limitConnections(server: Server, max: number, log: FastifyBaseLogger): void {
  server.maxConnections = max;
  let dropped = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    dropped += 1;
    const now = performance.now();
    if (now - loggedAt < LOG_PAUSE_MS) return;
    loggedAt = now;
    log.warn(
      { max, dropped },
      'connections were closed at once: there are as many as SLUICE_MAX_CONNECTIONS',
    );
    dropped = 0;
  });
}
