import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { readExample, readYaml } from './support/examples.ts';

const action = await readExample('github/action.yml');
const workflow = await readExample('github/workflow.yml');

const actionSchema = z.object({
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.object({
    steps: z.array(
      z.looseObject({ run: z.string(), env: z.record(z.string(), z.string()), shell: z.literal('bash') }),
    ),
  }),
});
const { inputs, outputs, runs } = actionSchema.parse(readYaml(action)[0]);

const workflowSchema = z.object({
  on: z.looseObject({ schedule: z.array(z.object({ cron: z.string() })) }),
  permissions: z.unknown(),
  concurrency: z.object({ group: z.string() }),
  jobs: z.object({
    scan: z.looseObject({
      steps: z.array(
        z.looseObject({
          uses: z.string(),
          with: z.record(z.string(), z.unknown()),
          env: z.record(z.string(), z.string()).optional(),
        }),
      ),
    }),
  }),
});
const { permissions, jobs } = workflowSchema.parse(readYaml(workflow)[0]);

describe('the GitHub action', () => {
  it('passes every input of the action to its script as a variable, and nothing else', () => {
    const [step] = runs.steps;
    const expected = Object.keys(inputs).map((name) => [
      `INPUT_${name.toUpperCase().replaceAll('-', '_')}`,
      `\${{ inputs.${name} }}`,
    ]);
    assert.deepEqual(step?.env, Object.fromEntries(expected));
  });

  it('has no expression inside script code', () => {
    for (const { run } of runs.steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('reads every variable passed to the script and writes every declared output', async () => {
    const script = await readExample('github/run.sh');
    const summary = await readExample('github/summary.mjs');
    const [step] = runs.steps;
    const read = new Set(script.match(/INPUT_\w+/g));
    assert.deepEqual([...read].sort(), Object.keys(step?.env ?? {}).sort());
    for (const name of Object.keys(outputs)) assert.ok(`${script}${summary}`.includes(`${name}=`), name);
    for (const [name, { value }] of Object.entries(outputs))
      assert.equal(value, `\${{ steps.sluice.outputs.${name} }}`);
  });

  it('takes no secret as an input of the action', () => {
    for (const name of Object.keys(inputs)) assert.doesNotMatch(name, /key|secret|token|password/);
  });
});

describe('the GitHub workflow', () => {
  it('has read access to the repository only', () => {
    assert.deepEqual(permissions, { contents: 'read' });
  });

  it('passes only known inputs to the action, and secrets only through the environment', () => {
    const own = jobs.scan.steps.find(({ uses }) => uses === './examples/github');
    const given = Object.keys(own?.with ?? {});
    assert.ok(given.length > 0);
    assert.deepEqual(
      given.filter((name) => !(name in inputs)),
      [],
    );
    assert.doesNotMatch(JSON.stringify(own?.with), /secrets\./);
    assert.match(JSON.stringify(own?.env), /secrets\.SLUICE_API_KEY/);
  });

  it('names no package of a public registry by default, and pins what is installed by its hash', async () => {
    assert.equal(inputs.package?.default, '');
    const own = jobs.scan.steps.find(({ uses }) => uses === './examples/github');
    assert.equal(own?.with.package, `\${{ vars.SLUICE_PACKAGE }}`);
    assert.equal(own?.with.integrity, `\${{ vars.SLUICE_INTEGRITY }}`);
  });

  it('pins third-party actions to a commit hash', () => {
    const others = jobs.scan.steps.map(({ uses }) => uses).filter((uses) => !uses.startsWith('./'));
    assert.equal(others.length, 2);
    for (const uses of others) assert.match(uses, /@[\da-f]{40}$/);
  });
});
