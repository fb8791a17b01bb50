// npm run manifests: copies the dashboard and the alert rules into the Helm chart, and renders deploy/manifests.
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { COPIES, DEPLOY, RENDERED, renderFile } from '../deploy/manifests.ts';
import { installHelm } from '../peers/helm.ts';

for (const [from, to] of COPIES) await copyFile(path.join(DEPLOY, from), path.join(DEPLOY, to));
const helm = await installHelm();
if (typeof helm !== 'string') throw new Error(helm.missing);
for (const file of RENDERED)
  await writeFile(path.join(DEPLOY, 'manifests', file.name), await renderFile(helm, file));
