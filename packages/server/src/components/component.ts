import type { Logger } from 'pino';
import type { BlobStore } from '../blob-store/blob-store.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/open-database.ts';
import type { Operations } from '../operations/operations.ts';

export interface ComponentDependencies {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly operations: Operations;
}

/** One part of the service, at work in this process. */
export interface RunningComponent {
  /** The address that it listens on, where it does. */
  readonly url?: string;
  /** Lets what runs finish, for a while, and gives everything back. */
  stop(): Promise<void>;
}

/** Brings a part up; what it had started is stopped where it fails. */
export type StartComponent = (dependencies: ComponentDependencies) => Promise<RunningComponent>;
