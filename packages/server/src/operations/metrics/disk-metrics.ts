import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** An unavailable network file system may not respond for minutes. */
const PATIENCE_MS = 1000;

interface Space {
  readonly size: number;
  readonly free: number;
}

/**
 * Registers metrics of the file systems of these folders, by volume name. They are measured when the metrics are read; one
 * that does not respond is omitted and logged.
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
    for (const [volume, ask] of spaces) {
      try {
        const space = await Promise.race([ask(), late()]);
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
    help: 'Free bytes of the file system of a volume, blob_store or database, as available to this process',
    labelNames,
    registers,
    collect() {
      return measure(this, 'free');
    },
  });
  new Gauge({
    name: 'sluice_disk_size_bytes',
    help: 'Size of the file system of a volume, blob_store or database',
    labelNames,
    registers,
    collect() {
      return measure(this, 'size');
    },
  });
}

/** Concurrent calls share one result, because each `statfs` occupies a thread of Node's pool. */
function shared<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asked: Promise<Result> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}

async function spaceOf(folder: string): Promise<Space> {
  const { bsize, blocks, bavail } = await statfs(folder);
  return { size: blocks * bsize, free: bavail * bsize };
}

async function late(): Promise<never> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`the file system did not respond within ${PATIENCE_MS} ms`);
}
