import type { Readable } from 'node:stream';
import type { Output, Screen } from '../console/screen.ts';

/** What a run of the program has around it. */
export interface ProgramContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly screen: Screen;
  readonly version: string;
}
