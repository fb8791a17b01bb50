import path from 'node:path';
import { run } from '../packages/server/test/support/process.ts';

export const DEPLOY: string = import.meta.dirname;
export const CHART: string = path.join(DEPLOY, 'helm/sluice');

/** A file of `deploy/manifests`, and the values file to render it with, relative to the chart. */
export interface RenderedFile {
  readonly name: string;
  readonly values: string | undefined;
}

export const RENDERED: readonly RenderedFile[] = [
  { name: 'try-out.yaml', values: undefined },
  { name: 'production.yaml', values: 'ci/production.yaml' },
];

/** Files that the chart needs a copy of, because a chart can only contain files below its folder. */
export const COPIES: readonly (readonly [from: string, to: string])[] = [
  ['prometheus/alerts.yaml', 'helm/sluice/files/alerts.yaml'],
  ['grafana/sluice.json', 'helm/sluice/files/sluice.json'],
];

/** The chart as Helm renders it, as one YAML text. Throws with Helm's message if it rejects the values. */
export async function render(helm: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(helm, [
    ...['template', 'sluice', CHART, '--namespace', 'sluice'],
    ...words,
  ]);
  if (code !== 0) throw new Error(stderr.trim());
  return stdout;
}

/** The content of a file of `deploy/manifests`. */
export async function renderFile(helm: string, { values }: RenderedFile): Promise<string> {
  const words = values === undefined ? [] : ['--values', path.join(CHART, values)];
  const rendered = await render(helm, ...words);
  return `# Rendered from deploy/helm/sluice by \`npm run manifests\`. Change the chart, not this file.\n${rendered}`;
}
