import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { example, makeFolder, readExample, readYaml } from './examples.ts';
import { type Ended, runProcess } from './run-process.ts';
import { makeStubScanner, type StubPlan } from './stub-scanner.ts';

const actionSchema = z.object({ inputs: z.record(z.string(), z.object({ default: z.string() })) });
const callSchema = z.object({ words: z.array(z.string()), baseUrl: z.string().optional() });

export interface ActionRun extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** How the stub was called. */
  readonly calls: readonly z.output<typeof callSchema>[];
}

export interface ActionOptions {
  /** Inputs that are not at their defaults; the package is empty unless it is given. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly plan?: StubPlan;
  /** A folder with another `scanner`, instead of the stub's. */
  readonly scannerFolder?: string;
}

export interface ActionRunner {
  readonly folder: string;
  /** The folder of the stub. */
  readonly stub: string;
  readonly run: (options?: ActionOptions) => Promise<ActionRun>;
  readonly remove: () => Promise<void>;
}

/** What a runner does with the action: its defaults from action.yml, its script as a process, in a folder of its own. */
export async function makeActionRunner(): Promise<ActionRunner> {
  const { inputs: declared } = actionSchema.parse(readYaml(await readExample('github/action.yml'))[0]);
  const { folder, write, remove } = await makeFolder();
  const stub = await makeStubScanner(folder);
  let runs = 0;
  const run = async ({ inputs = {}, env = {}, plan = {}, scannerFolder = stub }: ActionOptions = {}) => {
    runs += 1;
    const temp = path.join(folder, `run-${runs}`);
    await mkdir(temp);
    const [output, summary, calls] = await Promise.all(
      ['output', 'summary', 'calls'].map((name) => write(`run-${runs}/${name}`, '')),
    );
    const all = {
      ...Object.fromEntries(Object.entries(declared).map(([name, { default: own }]) => [name, own])),
      package: '',
      ...inputs,
    };
    const given = Object.entries(all).map(([name, value]) => [
      `INPUT_${name.toUpperCase().replaceAll('-', '_')}`,
      value,
    ]);
    const ended = await runProcess('bash', [example('github/run.sh')], {
      cwd: folder,
      env: {
        PATH: [scannerFolder, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
        HOME: temp,
        RUNNER_TEMP: temp,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        STUB: JSON.stringify(plan),
        STUB_CALLS: calls,
        ...Object.fromEntries(given),
        ...env,
      },
    });
    const read = (name: string) => readFile(path.join(temp, name), 'utf8');
    const lines = async (name: string) => (await read(name)).split('\n').filter((line) => line !== '');
    return {
      ...ended,
      outputs: Object.fromEntries((await lines('output')).map((line) => splitOnce(line))),
      summary: await read('summary'),
      calls: (await lines('calls')).map((line) => callSchema.parse(JSON.parse(line))),
    };
  };
  return { folder, stub, run, remove };
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf('=');
  if (at < 1) throw new Error(`no output of the form NAME=VALUE: ${line}`);
  return [line.slice(0, at), line.slice(at + 1)];
}
