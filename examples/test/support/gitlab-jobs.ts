import { z } from 'zod';
import { devToolPath } from '../../../scripts/dev-tools.ts';
import { makeFolder, readExample, readYaml } from './examples.ts';
import { type Ended, runProcess } from './run-process.ts';

const TEMPLATE = 'sluice.gitlab-ci.yml';
/** A pipeline that uses the template as its header says. */
const PIPELINE = `
include:
  - local: ${TEMPLATE}
scan:
  extends: .sluice-scan
push:
  extends: .sluice-push
  needs: [scan]
`;

const jobSchema = z.looseObject({
  image: z.looseObject({ name: z.string() }),
  variables: z.record(z.string(), z.string()),
  before_script: z.array(z.string()),
  script: z.array(z.string()),
  artifacts: z.looseObject({ when: z.string(), paths: z.array(z.string()) }),
  allow_failure: z.object({ exit_codes: z.array(z.number()) }).optional(),
});
export type GitlabJob = z.output<typeof jobSchema>;
const pipelineSchema = z.looseObject({ scan: jobSchema, push: jobSchema });

/** Runs gitlab-ci-local on a pipeline of this template; it checks against the schema that GitLab publishes. */
export async function gitlab(template: string, word: '--list' | '--preview'): Promise<Ended> {
  const { folder, write, remove } = await makeFolder();
  try {
    await write(TEMPLATE, template);
    await write('.gitlab-ci.yml', PIPELINE);
    // It includes only what git knows.
    for (const words of [
      ['init', '--quiet'],
      ['add', '.'],
    ])
      await runProcess('git', words, { cwd: folder });
    return await runProcess(
      process.execPath,
      [devToolPath('gitlab-ci-local/dist/index.js'), '--no-color', word],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
      },
    );
  } finally {
    await remove();
  }
}

/** The two jobs, with all that they extend. */
export async function readJobs(): Promise<{ readonly scan: GitlabJob; readonly push: GitlabJob }> {
  const { code, stdout, stderr } = await gitlab(await readExample(`gitlab/${TEMPLATE}`), '--preview');
  if (code !== 0) throw new Error(`gitlab-ci-local refused the template: ${stderr}`);
  const [pipeline] = readYaml(stdout);
  const { scan, push } = pipelineSchema.parse(pipeline);
  return { scan, push };
}

/** What a runner gives to bash, at the least: it stops at the first command that fails. */
export function scriptOf({ before_script, script }: GitlabJob): string {
  return ['#!/usr/bin/env bash', 'set -e', ...before_script, ...script, ''].join('\n');
}
