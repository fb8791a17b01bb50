import { z } from 'zod';
import { devToolPath } from '../../../scripts/dev-tools.ts';
import { createTemporaryFolder, readExample, readYaml } from './examples.ts';
import { type Ended, runProcess } from './run-process.ts';

const TEMPLATE = 'sluice.gitlab-ci.yml';
/** A pipeline that uses the template as documented in its header. */
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

/** Variables that GitLab predefines in every job. */
export const PREDEFINED = {
  CI_PROJECT_PATH: 'platform/scans',
  CI_COMMIT_REF_NAME: 'main',
  CI_COMMIT_SHA: 'c0ffee',
  CI_PIPELINE_URL: 'https://gitlab.example.com/platform/scans/-/pipelines/7',
};

/** Runs gitlab-ci-local on a pipeline with this template. It validates the pipeline against GitLab's public schema. */
export async function gitlab(template: string, command: '--list' | '--preview'): Promise<Ended> {
  const { folder, write, remove } = await createTemporaryFolder();
  try {
    await write(TEMPLATE, template);
    await write('.gitlab-ci.yml', PIPELINE);
    // gitlab-ci-local can include only files that are tracked by git.
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
    ])
      await runProcess('git', args, { cwd: folder });
    return await runProcess(
      process.execPath,
      [devToolPath('gitlab-ci-local/dist/index.js'), '--no-color', command],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder },
      },
    );
  } finally {
    await remove();
  }
}

/** Reads the two jobs with all inherited properties. */
export async function readJobs(): Promise<{ readonly scan: GitlabJob; readonly push: GitlabJob }> {
  const { code, stdout, stderr } = await gitlab(await readExample(`gitlab/${TEMPLATE}`), '--preview');
  if (code !== 0) throw new Error(`gitlab-ci-local rejected the template: ${stderr}`);
  const [pipeline] = readYaml(stdout);
  const { scan, push } = pipelineSchema.parse(pipeline);
  return { scan, push };
}

/** Returns the script as a runner executes it: with errexit, so that it stops at the first failed command. */
export function scriptOf({ before_script, script }: GitlabJob): string {
  return ['#!/usr/bin/env bash', 'set -e', ...before_script, ...script, ''].join('\n');
}
