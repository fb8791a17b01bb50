import path from 'node:path';
import { run } from '../packages/server/test/support/process.ts';

export const DEPLOY: string = import.meta.dirname;
export const CHART: string = path.join(DEPLOY, 'helm/sluice');

/** A file in `deploy/manifests` and its values file, relative to the chart. */
export interface RenderedFile {
  readonly name: string;
  readonly values: string | undefined;
}

export const RENDERED: readonly RenderedFile[] = [
  { name: 'try-out.yaml', values: undefined },
  { name: 'production.yaml', values: 'ci/production.yaml' },
];

/** Files to copy into the chart, because a chart can contain only files in its folder. */
export const COPIES: readonly (readonly [from: string, to: string])[] = [
  ['prometheus/alerts.yaml', 'helm/sluice/files/alerts.yaml'],
  ['grafana/sluice.json', 'helm/sluice/files/sluice.json'],
];

/** Renders the chart with Helm as one YAML text. Throws an error with Helm's message if Helm rejects the values. */
export async function render(helm: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(helm, [
    ...['template', 'sluice', CHART, '--namespace', 'sluice'],
    ...args,
  ]);
  if (code !== 0) throw new Error(stderr.trim());
  return stdout;
}

/** Renders a file of `deploy/manifests`. */
export async function renderFile(helm: string, { values }: RenderedFile): Promise<string> {
  const args = values === undefined ? [] : ['--values', path.join(CHART, values)];
  const rendered = await render(helm, ...args);
  return `# Rendered from deploy/helm/sluice by \`npm run manifests\`. Edit the chart, not this file.\n${rendered}`;
}
