/** How long what nobody needs is kept, and how often it is looked for. */
export interface HousekeepingSettings {
  /** 0: not at all by itself. */
  readonly intervalMinutes: number;
  /** Of a blob that belongs to no job, from its last modification on; longer than an upload can run. */
  readonly orphanGraceHours: number;
  /** Of the file of an ended job that no finding points to. */
  readonly fileRetentionDays: number;
  /** Of an ended job that no finding points to. */
  readonly jobRetentionDays: number;
  readonly idempotencyKeyHours: number;
}
