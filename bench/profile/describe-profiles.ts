import { median } from '../median.ts';
import { roundToThreeDigits } from '../round-to-three-digits.ts';
import type { Result } from '../suite.ts';
import { CLIENT, type IngestProfile, type Phase, POSTGRESQL } from './profile-ingestion.ts';

/** What the threads of the service do, by their names (proc_pid_comm(5)). */
const TASKS: Readonly<Record<string, string>> = {
  MainThread: 'requests, multipart',
  'sluice-frames': 'splitting, storing',
  'libuv-worker': 'compressing, files',
  'sluice-worker': 'reading records, writing rows',
  V8Worker: 'compiling, collecting garbage',
  [POSTGRESQL]: 'all of its processes',
  [CLIENT]: 'the client',
};
/** Less than this is not worth a row, in seconds. */
const LEAST = 0.02;

/** A row for each thread or process that has done something, and one for what nobody has used. */
export function describeProfiles(what: string, profiles: readonly IngestProfile[], cores: number): Result {
  const names = new Set(
    profiles.flatMap(({ upload, work }) => [...upload.cpuSeconds.keys(), ...work.cpuSeconds.keys()]),
  );
  const rows = [...names]
    .map((name) => describe(name, TASKS[name] ?? '', profiles, ({ cpuSeconds }) => cpuSeconds.get(name) ?? 0))
    .filter(({ all }) => all >= LEAST)
    .sort((a, b) => b.all - a.all);
  const unused = describe('nobody', 'of the time of all cores', profiles, (phase) => idle(phase, cores));
  return {
    title: `profile: ${what}; seconds of processor time, medians of ${profiles.length}`,
    rows: [...rows, unused].map(({ all, ...row }) => ({ ...row, all: roundToThreeDigits(all) })),
  };
}

function describe(
  who: string,
  does: string,
  profiles: readonly IngestProfile[],
  secondsOf: (phase: Phase) => number,
) {
  const of = (value: (profile: IngestProfile) => number) => median(profiles.map(value));
  return {
    who,
    does,
    'to the 202': roundToThreeDigits(of(({ upload }) => secondsOf(upload))),
    'from there to the end': roundToThreeDigits(of(({ work }) => secondsOf(work))),
    all: of(({ upload, work }) => secondsOf(upload) + secondsOf(work)),
  };
}

function idle({ seconds, cpuSeconds }: Phase, cores: number): number {
  return [...cpuSeconds.values()].reduce((rest, each) => rest - each, cores * seconds);
}
