import { constants } from 'node:buffer';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { exportFinishedRows } from '../baselines/export-finished-rows.ts';
import { type BaselineName, runBaseline } from '../baselines/run-baseline.ts';
import type { Scans } from '../generate-scans.ts';
import type { Cost } from '../process/measure.ts';
import { pidOf, withService } from '../service.ts';
import { type IngestCosts, measureIngestion } from './measure-ingestion.ts';
import { measureNaiveBaseline } from './measure-naive-baseline.ts';
import { measureRawStorage, measureStorage, type Storage } from './storage.ts';

/** One round: Sluice with one tenant and a file store, and all baselines. */
export interface Round {
  readonly sluice: IngestCosts;
  readonly parsedRecords: Cost;
  readonly copiedRaw: Cost;
  readonly copiedRows: Cost;
  /** The baselines that need the whole file as one string; undefined if the file exceeds the maximum string length of V8. */
  readonly wholeFile: { readonly parsed: Cost; readonly naive: IngestCosts } | undefined;
  readonly storage: Storage;
  readonly rawStorage: number;
}

/** Measures a round with a new service, whose PostgreSQL the baselines also use. */
export async function compareWithBaselines(folder: string, scans: Scans, raw: string): Promise<Round> {
  const { fresh, repeated } = scans;
  const rows = path.join(folder, 'finished-rows.copy');
  try {
    return await withService(async (service) => {
      const baseline = (name: BaselineName, file: string) =>
        runBaseline(name, service, { path: file, records: fresh.records });
      const ingest = (file: Scans['fresh']) =>
        measureIngestion([pidOf(service)], service, { keys: [service.key], file });

      const freshCost = await ingest(fresh);
      const storage = await measureStorage(service);
      await exportFinishedRows(service, rows);
      const sluice = { fresh: freshCost, repeated: await ingest(repeated) };

      const copiedRaw = await baseline('copy-raw-records', raw);
      const rawStorage = await measureRawStorage(service);
      await service.sql('drop table raw_records');
      await service.sql('truncate findings');
      const copiedRows = await baseline('copy-finished-rows', rows);
      const parsedRecords = await baseline('parse-records', fresh.path);
      const fits = Math.max(fresh.bytes, repeated.bytes) <= constants.MAX_STRING_LENGTH;
      const wholeFile = fits
        ? {
            parsed: await baseline('parse-whole-file', fresh.path),
            naive: await measureNaiveBaseline(service, scans),
          }
        : undefined;
      return { sluice, parsedRecords, copiedRaw, copiedRows, wholeFile, storage, rawStorage };
    });
  } finally {
    await rm(rows, { force: true });
  }
}
