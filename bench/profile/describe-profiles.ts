import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import { CLIENT, type IngestProfile, type Phase, POSTGRESQL } from './profile-ingestion.ts';

/** Tasks of the service threads by thread name (proc_pid_comm(5)). */
const TASKS: Readonly<Record<string, string>> = {
  MainThread: 'requests, multipart parsing',
  'sluice-frames': 'splitting and storing',
  'libuv-worker': 'compression, file I/O',
  'sluice-worker': 'ingestion',
  V8Worker: 'compilation, garbage collection',
  [POSTGRESQL]: 'all processes',
  [CLIENT]: 'the client',
};
/** Minimum CPU time, in seconds, for a thread to be listed. */
const MINIMUM_SECONDS = 0.02;

/** Returns one row for each active thread or process, and one for the idle CPU time. */
export function describeProfiles(label: string, profiles: readonly IngestProfile[], cores: number): Result {
  const names = new Set(
    profiles.flatMap(({ upload, work }) => [...upload.cpuSeconds.keys(), ...work.cpuSeconds.keys()]),
  );
  const rows = [...names]
    .map((name) => describe(name, TASKS[name] ?? '', profiles, ({ cpuSeconds }) => cpuSeconds.get(name) ?? 0))
    .filter(({ all }) => all >= MINIMUM_SECONDS)
    .sort((a, b) => b.all - a.all);
  const idleRow = describe('idle', 'unused time of all cores', profiles, (phase) =>
    idleSeconds(phase, cores),
  );
  return {
    title: `profile: ${label}; CPU time in seconds, medians of ${profiles.length} rounds`,
    rows: [...rows, idleRow].map(({ all, ...row }) => ({ ...row, all: roundToThreeDigits(all) })),
  };
}

function describe(
  thread: string,
  task: string,
  profiles: readonly IngestProfile[],
  secondsOf: (phase: Phase) => number,
) {
  const medianOf = (value: (profile: IngestProfile) => number) => median(profiles.map(value));
  return {
    'thread or process': thread,
    task,
    'until the 202': roundToThreeDigits(medianOf(({ upload }) => secondsOf(upload))),
    'from the 202 to completion': roundToThreeDigits(medianOf(({ work }) => secondsOf(work))),
    all: medianOf(({ upload, work }) => secondsOf(upload) + secondsOf(work)),
  };
}

function idleSeconds({ seconds, cpuSeconds }: Phase, cores: number): number {
  return [...cpuSeconds.values()].reduce((remaining, each) => remaining - each, cores * seconds);
}
