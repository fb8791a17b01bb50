import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { run } from '../packages/server/test/support/process.ts';
import { CACHE, pythonEnvironment } from './python-environment.ts';

/** A manifest as YAML reads it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The packages that have the schemas of resources which Kubernetes itself does not have, by API group. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** Checks manifests against the schemas of Kubernetes and of the extensions in `EXTENSIONS`. */
export interface KubernetesSchemas {
  /** One sentence per manifest that is not valid. Fields that Kubernetes does not know are faults. */
  readonly faults: (manifests: readonly Manifest[]) => Promise<string[]>;
  readonly remove: () => Promise<void>;
}

/** Installs the schemas into the cache. Resolves with the reason as a sentence where that is not possible. */
export async function kubernetesSchemas(): Promise<KubernetesSchemas | string> {
  const python = await pythonEnvironment('kubernetes');
  if (typeof python === 'string') return python;
  const models = await installModels();
  if (!path.isAbsolute(models)) return models;
  const work = `${models}.work.${process.pid}`;
  await mkdir(work, { recursive: true });

  const ofKubernetes = async (manifests: readonly Manifest[]) => {
    const files = await Promise.all(
      manifests.map(async (manifest, at) => {
        const file = path.join(work, `${at}.json`);
        // JSON: it means the same in YAML 1.1, which the program reads, and in YAML 1.2.
        await writeFile(file, JSON.stringify(manifest));
        return file;
      }),
    );
    const { stdout, stderr } = await run(python.program('kubernetes-validate'), ['--strict', ...files]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const passed = lines.filter((line) => line.startsWith('INFO ')).length;
    // A resource without a schema is a warning only, and no line for a file would be a pass without a check.
    const faults = lines.filter((line) => !line.startsWith('INFO '));
    if (passed + faults.length !== files.length) faults.push(`not every manifest was checked: ${stderr}`);
    return faults;
  };
  const ofExtension = async (manifest: Manifest): Promise<string[]> => {
    const [group = '', version] = manifest.apiVersion.split('/');
    const file = path.join(
      models,
      'node_modules',
      EXTENSIONS[group] ?? '',
      group,
      version ?? '',
      `${manifest.kind}.js`,
    );
    const imported: Record<string, new (content: unknown) => { validate(): void }> = await import(
      pathToFileURL(file).href
    );
    const Model = imported[manifest.kind];
    if (Model === undefined) return [`${file} has no ${manifest.kind}`];
    try {
      new Model(manifest).validate();
      return [];
    } catch (error) {
      return [
        `${manifest.kind} ${manifest.metadata.name}: ${error instanceof Error ? error.message : error}`,
      ];
    }
  };
  return {
    faults: async (manifests) => {
      const isExtension = ({ apiVersion }: Manifest) => (apiVersion.split('/')[0] ?? '') in EXTENSIONS;
      const extensions = manifests.filter(isExtension);
      return [
        ...(await ofKubernetes(manifests.filter((each) => !isExtension(each)))),
        ...(await Promise.all(extensions.map(ofExtension))).flat(),
      ];
    },
    remove: () => rm(work, { recursive: true, force: true }),
  };
}

/** The folder with the packages of `kubernetes/package-lock.json`, or the reason why there is none. */
async function installModels(): Promise<string> {
  const source = path.join(import.meta.dirname, 'kubernetes');
  const lock = await readFile(path.join(source, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = path.join(CACHE, `kubernetes-models-${hash}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}`;
  await cp(source, building, { recursive: true });
  try {
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, stderr } = await run('npm', words, { cwd: building });
    if (code !== 0)
      return `the schemas of extensions cannot be installed: ${stderr.trim().split('\n').at(-1)}`;
    if (!existsSync(folder)) await rename(building, folder);
    return folder;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** What every manifest has, checked. */
export const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
