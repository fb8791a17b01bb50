import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createTemporaryFolder, example, readExample, readYaml } from './examples.ts';
import { type Ended, runProcess } from './run-process.ts';
import { createStubScanner, type StubPlan } from './stub-scanner.ts';

const actionSchema = z.object({ inputs: z.record(z.string(), z.object({ default: z.string() })) });
const callSchema = z.object({ args: z.array(z.string()), baseUrl: z.string().optional() });

interface ActionRun extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Calls of the stub scanner. */
  readonly calls: readonly z.output<typeof callSchema>[];
}

interface ActionOptions {
  /** Inputs that differ from their defaults. The default of `package` is empty. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly plan?: StubPlan;
  /** Folder with the `scanner` to use instead of the stub. */
  readonly scannerFolder?: string;
}

export interface ActionRunner {
  readonly folder: string;
  /** Folder of the stub scanner. */
  readonly stub: string;
  readonly run: (options?: ActionOptions) => Promise<ActionRun>;
  readonly remove: () => Promise<void>;
}

/** Emulates a GitHub runner: runs the script of the action in a temporary folder, with the defaults of action.yml. */
export async function createActionRunner(): Promise<ActionRunner> {
  const { inputs: declared } = actionSchema.parse(readYaml(await readExample('github/action.yml'))[0]);
  const { folder, write, remove } = await createTemporaryFolder();
  const stub = await createStubScanner(folder);
  let runs = 0;
  const run = async ({ inputs = {}, env = {}, plan = {}, scannerFolder = stub }: ActionOptions = {}) => {
    runs += 1;
    const temp = path.join(folder, `run-${runs}`);
    await mkdir(temp);
    const [output, summary, calls] = await Promise.all(
      ['output', 'summary', 'calls'].map((name) => write(`run-${runs}/${name}`, '')),
    );
    const all = {
      ...Object.fromEntries(Object.entries(declared).map(([name, { default: value }]) => [name, value])),
      package: '',
      ...inputs,
    };
    const variables = Object.entries(all).map(([name, value]) => [
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
        ...Object.fromEntries(variables),
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
  const separator = line.indexOf('=');
  if (separator < 1) throw new Error(`Expected NAME=VALUE, but got: ${line}`);
  return [line.slice(0, separator), line.slice(separator + 1)];
}
