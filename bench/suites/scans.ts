import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../packages/server/test/support/service.ts';
import { prepareRawRecords } from '../baselines/prepare-raw-records.ts';
import { runBaseline } from '../baselines/run-baseline.ts';
import { type BenchFile, generateFile } from '../generate-file.ts';
import { FIRST_SCAN } from '../generate-scans.ts';
import { measureRawStorage, measureStorage, type Storage } from '../ingest/storage.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import { ingestFile, withService } from '../service.ts';
import type { BenchContext, Result, Suite } from '../suite.ts';

const SCAN_COUNT = 20;
const DAY_SECONDS = 24 * 60 * 60;
/** The share of failing findings alternates, so that some statuses change with every scan. */
const FAIL_SHARES = [0.3, 0.34];
/** Of the disk space of the raw records, after the first and after the last scan. */
const STORAGE_TARGETS = [0.42, 0.5];
const WAL_TARGET = 450;

interface MeasuredScan {
  readonly seconds: number;
  /** Bytes of WAL from the first byte sent to the completion of the job. */
  readonly walBytes: number;
  /** After the scan. The blobs are only those of this scan. */
  readonly storage: Storage;
}

/** Daily scans of the same findings: disk space and WAL. */
export const SCANS: Suite = {
  name: 'scans',
  run: async (context) => [await measureScans(context, Math.min(...context.records))],
};

async function measureScans({ folder }: BenchContext, records: number): Promise<Result> {
  const scans: MeasuredScan[] = [];
  let raw = Number.NaN;
  await withService(async (service, client) => {
    let blobs = 0;
    for (let day = 0; day < SCAN_COUNT; day++) {
      const failShare = FAIL_SHARES[day % FAIL_SHARES.length] ?? 0;
      const file = await generateFile(folder, records, { time: FIRST_SCAN + day * DAY_SECONDS, failShare });
      if (day === 0) raw = await rawStorageOf(service, file);
      const from = await walPosition(service);
      const { ended } = await ingestFile(service, client, file.path);
      const walBytes = (await walPosition(service)) - from;
      await service.sql('checkpoint');
      const storage = await measureStorage(service);
      scans.push({ seconds: ended, walBytes, storage: { ...storage, blobs: storage.blobs - blobs } });
      blobs = storage.blobs;
      await rm(file.path);
    }
  });
  const shares = scans.map(({ storage }) => (storage.blobs + storage.rows + storage.indexes) / raw);
  const perRecord = (bytes: number) => Math.round(bytes / records);
  return {
    title: `scans: ${records} findings once a day; the blobs are those of the latest scan`,
    rows: scans.map(({ seconds, walBytes, storage }, day) => ({
      scan: day + 1,
      seconds: roundToThreeDigits(seconds),
      'WAL B/record': perRecord(walBytes),
      'rows B/finding': perRecord(storage.rows),
      'indexes B/finding': perRecord(storage.indexes),
      'blobs B/finding': perRecord(storage.blobs),
      'ratio to (c)': roundToThreeDigits(shares[day] ?? Number.NaN),
    })),
    targets: [
      ...[shares.slice(0, 1), shares.slice(-1)].map((rounds, at) => ({
        measure: `storage on disk after ${at === 0 ? 1 : SCAN_COUNT} scans: ratio to (c)`,
        rounds,
        bound: 'at most' as const,
        target: STORAGE_TARGETS[at] ?? 0,
      })),
      {
        measure: 'WAL of a repeated scan, bytes per record',
        rounds: scans.slice(1).map(({ walBytes }) => walBytes / records),
        bound: 'at most',
        target: WAL_TARGET,
      },
    ],
  };
}

async function walPosition({ sql }: Service): Promise<number> {
  const [row] = await sql<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  );
  return row?.bytes ?? Number.NaN;
}

/** Returns the disk space of the bare table of (c) with the records of the file. */
async function rawStorageOf(service: Service, { path: file, records }: BenchFile): Promise<number> {
  const raw = path.join(path.dirname(file), 'raw-records.copy');
  await prepareRawRecords(file, raw);
  await runBaseline('copy-raw-records', service, { path: raw, records });
  const bytes = await measureRawStorage(service);
  await service.sql('drop table raw_records');
  await rm(raw);
  return bytes;
}
