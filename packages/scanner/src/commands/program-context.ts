import type { Readable } from 'node:stream';
import type { Output, Screen } from '../console/screen.ts';

/** The environment and the streams of a program run. */
export interface ProgramContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly screen: Screen;
  readonly version: string;
}
