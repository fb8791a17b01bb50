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

describe('GitHub action definition', () => {
  it('the GitHub action passes all inputs, and nothing else, to the script as environment variables', () => {
    const [step] = runs.steps;
    const expected = Object.keys(inputs).map((name) => [
      `INPUT_${name.toUpperCase().replaceAll('-', '_')}`,
      `\${{ inputs.${name} }}`,
    ]);
    assert.deepEqual(step?.env, Object.fromEntries(expected));
  });

  it('the GitHub action contains no expressions in run scripts', () => {
    for (const { run } of runs.steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('the script of the GitHub action uses all its variables and writes all declared outputs', async () => {
    const script = await readExample('github/run.sh');
    const summary = await readExample('github/summary.mjs');
    const [step] = runs.steps;
    const read = new Set(script.match(/INPUT_\w+/g));
    assert.deepEqual([...read].sort(), Object.keys(step?.env ?? {}).sort());
    for (const name of Object.keys(outputs)) assert.ok(`${script}${summary}`.includes(`${name}=`), name);
    for (const [name, { value }] of Object.entries(outputs))
      assert.equal(value, `\${{ steps.sluice.outputs.${name} }}`);
  });

  it('the GitHub action has no inputs for secrets', () => {
    for (const name of Object.keys(inputs)) assert.doesNotMatch(name, /key|secret|token|password/);
  });
});

describe('GitHub workflow', () => {
  it('the GitHub workflow has only read access to the repository', () => {
    assert.deepEqual(permissions, { contents: 'read' });
  });

  it('the GitHub workflow passes only known inputs, and passes secrets only in the environment', () => {
    const step = jobs.scan.steps.find(({ uses }) => uses === './examples/github');
    const passed = Object.keys(step?.with ?? {});
    assert.ok(passed.length > 0);
    assert.deepEqual(
      passed.filter((name) => !(name in inputs)),
      [],
    );
    assert.doesNotMatch(JSON.stringify(step?.with), /secrets\./);
    assert.match(JSON.stringify(step?.env), /secrets\.SLUICE_API_KEY/);
  });

  it('the GitHub workflow installs no package from a public registry and passes the hash of the package', async () => {
    assert.equal(inputs.package?.default, '');
    const step = jobs.scan.steps.find(({ uses }) => uses === './examples/github');
    assert.equal(step?.with.package, `\${{ vars.SLUICE_PACKAGE }}`);
    assert.equal(step?.with.integrity, `\${{ vars.SLUICE_INTEGRITY }}`);
  });

  it('the GitHub workflow pins third-party actions to a commit hash', () => {
    const others = jobs.scan.steps.map(({ uses }) => uses).filter((uses) => !uses.startsWith('./'));
    assert.equal(others.length, 2);
    for (const uses of others) assert.match(uses, /@[\da-f]{40}$/);
  });
});
