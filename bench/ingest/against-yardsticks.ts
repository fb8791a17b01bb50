import { constants } from 'node:buffer';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Cost } from '../process/measure.ts';
import type { Scans } from '../scans.ts';
import { pidOf, withService } from '../service.ts';
import { keepFinishedRows } from '../yardsticks/finished-rows.ts';
import { runYardstick, type YardstickName } from '../yardsticks/run-yardstick.ts';
import { type IngestCosts, measureIngestion } from './measure-ingestion.ts';
import { measureUsualService } from './measure-usual-service.ts';
import { rawStorageOf, type Storage, storageOf } from './storage.ts';

/** One tenant and a file store beside all yardsticks, in one round. */
export interface Round {
  readonly ours: IngestCosts;
  readonly parsedRecords: Cost;
  readonly copiedRaw: Cost;
  readonly copiedRows: Cost;
  /** What needs the whole file as one string; undefined where no string of V8 is so long. */
  readonly wholeFile: { readonly parsed: Cost; readonly usual: IngestCosts } | undefined;
  readonly storage: Storage;
  readonly rawStorage: number;
}

/** Measures a round on a service of its own; its PostgreSQL is that of the yardsticks, too. */
export async function againstYardsticks(folder: string, scans: Scans, raw: string): Promise<Round> {
  const { fresh, again } = scans;
  const rows = path.join(folder, 'finished-rows.copy');
  try {
    return await withService(async (service) => {
      const yardstick = (name: YardstickName, file: string) =>
        runYardstick(name, service, { path: file, records: fresh.records });
      const ingest = (file: Scans['fresh']) =>
        measureIngestion([pidOf(service)], service, { keys: [service.key], file });

      const freshCost = await ingest(fresh);
      const storage = await storageOf(service);
      await keepFinishedRows(service, rows);
      const ours = { fresh: freshCost, repeated: await ingest(again) };

      const copiedRaw = await yardstick('copy-raw-records', raw);
      const rawStorage = await rawStorageOf(service);
      await service.sql('drop table raw_records');
      await service.sql('truncate findings');
      const copiedRows = await yardstick('copy-finished-rows', rows);
      const parsedRecords = await yardstick('parse-records', fresh.path);
      const fits = Math.max(fresh.bytes, again.bytes) <= constants.MAX_STRING_LENGTH;
      const wholeFile = fits
        ? {
            parsed: await yardstick('parse-whole-file', fresh.path),
            usual: await measureUsualService(service, scans),
          }
        : undefined;
      return { ours, parsedRecords, copiedRaw, copiedRows, wholeFile, storage, rawStorage };
    });
  } finally {
    await rm(rows, { force: true });
  }
}
