import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config } from '../config/config.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import type { Operations } from '../observability/operations.ts';

export interface ComponentDependencies {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly operations: Operations;
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
