import { integer, type SettingValues } from './setting.ts';

/** How long expired data and unreferenced blobs are kept, and how often they are collected. */
export interface RetentionSettings {
  /** If 0, only `sluice gc` collects garbage. */
  readonly intervalMinutes: number;
  /** How long a blob without a job is kept after its last modification. Longer than any upload takes. */
  readonly orphanGraceHours: number;
  /** How long the file of an ended job is kept if no finding refers to it. */
  readonly fileRetentionDays: number;
  /** How long an ended job is kept if no finding refers to it. */
  readonly jobRetentionDays: number;
  readonly idempotencyKeyHours: number;
  /** How long the changes of findings are kept. */
  readonly historyRetentionDays: number;
}

/** A hundred years, so that all computed cutoffs are valid dates. */
const MAX_KEPT_DAYS = 100 * 365;
const MAX_KEPT_HOURS = MAX_KEPT_DAYS * 24;

/** Settings that `sluice gc` also reads. */
export const RETENTION_SETTINGS = {
  SLUICE_ORPHAN_GRACE_HOURS: integer('Retention of blobs without a job', {
    default: 24,
    min: 1,
    max: MAX_KEPT_HOURS,
  }),
  SLUICE_FRAME_RETENTION_DAYS: integer('Retention of files that no finding refers to', {
    default: 30,
    min: 1,
    max: MAX_KEPT_DAYS,
  }),
  SLUICE_JOB_RETENTION_DAYS: integer('Retention of jobs that no finding refers to', {
    default: 365,
    min: 1,
    max: MAX_KEPT_DAYS,
  }),
  SLUICE_IDEMPOTENCY_KEY_HOURS: integer('Retention of idempotency keys', {
    default: 48,
    min: 24,
    max: MAX_KEPT_HOURS,
  }),
  SLUICE_HISTORY_RETENTION_DAYS: integer('Retention of the changes of findings', {
    default: 400,
    min: 1,
    max: MAX_KEPT_DAYS,
  }),
};

export const GARBAGE_COLLECTION_SETTINGS = {
  SLUICE_GC_INTERVAL_MINUTES: integer(
    'Time between garbage collections; 0 means that only sluice gc runs them',
    {
      default: 60,
      min: 0,
      max: 10_080,
    },
  ),
  ...RETENTION_SETTINGS,
};

/** Converts the settings, whose names are part of the interface, to their internal names. */
export function retentionSettings(
  settings: SettingValues<typeof GARBAGE_COLLECTION_SETTINGS>,
): RetentionSettings {
  return {
    intervalMinutes: settings.SLUICE_GC_INTERVAL_MINUTES,
    orphanGraceHours: settings.SLUICE_ORPHAN_GRACE_HOURS,
    fileRetentionDays: settings.SLUICE_FRAME_RETENTION_DAYS,
    jobRetentionDays: settings.SLUICE_JOB_RETENTION_DAYS,
    idempotencyKeyHours: settings.SLUICE_IDEMPOTENCY_KEY_HOURS,
    historyRetentionDays: settings.SLUICE_HISTORY_RETENTION_DAYS,
  };
}
