import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readYaml } from './support/examples.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFile(path.join(CHECKOUT, name), 'utf8');

const workflowSchema = z.object({
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      container: z.object({ image: z.string(), options: z.string() }),
      steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })),
    }),
  ),
});
const renovateSchema = z.looseObject({
  ignorePaths: z.array(z.string()),
  'github-actions': z.object({ managerFilePatterns: z.array(z.string()) }),
});
const formSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(
    z.strictObject({
      type: z.enum(['markdown', 'input', 'textarea', 'dropdown']),
      id: z.string().optional(),
      attributes: z.strictObject({
        label: z.string().optional(),
        description: z.string().optional(),
        value: z.string().optional(),
        options: z.array(z.string()).optional(),
        render: z.string().optional(),
      }),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    }),
  ),
});

describe('GitHub files of the repository', async () => {
  const names = await readdir(path.join(CHECKOUT, '.github/workflows'));
  const workflows = await Promise.all(
    names.map(async (name) => workflowSchema.parse(readYaml(await read(`.github/workflows/${name}`))[0])),
  );
  const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs));
  const steps = jobs.flatMap((job) => job.steps);

  it('repository workflows have only read access to the repository', () => {
    assert.ok(workflows.length > 0);
    for (const { permissions } of workflows) assert.deepEqual(permissions, { contents: 'read' });
  });

  it('repository workflows pin actions to the same commits as the example workflow', async () => {
    const pinned = await read('examples/github/workflow.yml');
    const used = steps.flatMap(({ uses }) => uses ?? []);
    assert.ok(used.length > 0);
    for (const action of used) {
      assert.match(action, /@[\da-f]{40}$/);
      assert.ok(pinned.includes(`uses: ${action}`), action);
    }
  });

  it('Renovate updates actions in the example workflow and in repository workflows together', async () => {
    const { ignorePaths, 'github-actions': actions } = renovateSchema.parse(
      JSON.parse(await read('renovate.json')),
    );
    assert.ok(!ignorePaths.some((pattern) => pattern.includes('examples')));
    const [pattern = ''] = actions.managerFilePatterns;
    assert.match('examples/github/workflow.yml', new RegExp(pattern.slice(1, -1)));
  });

  it('repository workflows contain no expressions in run scripts', () => {
    for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('the repository workflow runs .ci/run with the same Node version as the container image', async () => {
    assert.equal(steps.filter(({ run }) => run === '.ci/run').length, 1);
    const [, version] = /BASE_IMAGE=node:([\d.]+)-/.exec(await read('Dockerfile')) ?? [];
    // Without the digest that Renovate adds.
    for (const { container } of jobs) assert.equal(container.image.split('@')[0], `node:${version}-bookworm`);
  });

  it('issue forms are valid and have inputs with unique IDs and labels', async () => {
    for (const name of ['bug', 'feature']) {
      const { body } = formSchema.parse(readYaml(await read(`.github/ISSUE_TEMPLATE/${name}.yml`))[0]);
      const inputs = body.filter(({ type }) => type !== 'markdown');
      assert.equal(new Set(inputs.map(({ id }) => id)).size, inputs.length);
      assert.ok(inputs.every(({ id, attributes }) => id !== undefined && attributes.label !== undefined));
    }
  });
});
