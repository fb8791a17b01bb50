import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type Config, ConfigError } from '../config/config.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import type { Operations } from '../observability/operations.ts';

interface ComponentDependencies {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly operations: Operations;
  /** The URL of the API, if it runs in this process. */
  readonly apiUrl: string | undefined;
}

/** A running component of the service in this process. */
export interface RunningComponent {
  /** The URL that it listens on, if any. */
  readonly url?: string;
  /** Waits for work in progress, within a time limit, and releases all resources. */
  stop(): Promise<void>;
}

/** Starts a component. Releases everything if the start fails. */
export type StartComponent = (dependencies: ComponentDependencies) => Promise<RunningComponent>;

/** The role of a process: handle requests, process uploads, or both. */
export const ROLES = ['api', 'worker', 'all'] as const;

export type Role = (typeof ROLES)[number];

/** Throws a ConfigError if the settings do not allow this role. */
export function assertRoleAllowed(role: Role, { databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (role === 'all' || databaseUrl !== undefined) return;
  throw new ConfigError([
    `DATABASE_URL must be set for --role ${role}: only --role all can use the embedded PostgreSQL`,
  ]);
}
