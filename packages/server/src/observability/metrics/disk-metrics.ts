import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** Time limit, because an unavailable network file system may not respond for minutes. */
const TIMEOUT_MS = 1000;

interface Space {
  readonly size: number;
  readonly free: number;
}

/**
 * Registers metrics for the file systems of these folders, by volume name. They are read when the metrics are scraped;
 * a file system that does not respond is omitted and logged.
 */
export function registerDiskMetrics(
  registry: Registry,
  folders: Readonly<Record<string, string>>,
  log: Logger,
): void {
  const spaces = Object.entries(folders).map(
    ([volume, folder]) => [volume, shared(() => spaceOf(folder))] as const,
  );
  const measure = async (gauge: Gauge<'volume'>, field: keyof Space) => {
    gauge.reset();
    for (const [volume, read] of spaces) {
      try {
        const space = await Promise.race([read(), timeout()]);
        gauge.set({ volume }, space[field]);
      } catch (error) {
        log.warn({ err: error, volume }, 'the free disk space could not be measured');
      }
    }
  };
  const registers = [registry];
  const labelNames = ['volume'] as const;
  new Gauge({
    name: 'sluice_disk_free_bytes',
    help: 'Free bytes available to this process on the file system of a volume: blob_store or database',
    labelNames,
    registers,
    collect() {
      return measure(this, 'free');
    },
  });
  new Gauge({
    name: 'sluice_disk_size_bytes',
    help: 'Size of the file system of a volume: blob_store or database',
    labelNames,
    registers,
    collect() {
      return measure(this, 'size');
    },
  });
}

/** Concurrent calls share one result, because each `statfs` occupies a thread of Node's pool. */
function shared<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

async function spaceOf(folder: string): Promise<Space> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { size: blocks * bsize, free: bavail * bsize };
}

async function timeout(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`the file system did not respond within ${TIMEOUT_MS} ms`);
}
