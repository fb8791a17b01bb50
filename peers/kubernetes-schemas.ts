import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { installOnce } from '../packages/server/test/support/install-once.ts';
import { run } from '../packages/server/test/support/process.ts';
import { CACHE, pythonEnvironment } from './python-environment.ts';

/** A parsed manifest. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Packages with the schemas of custom resources, by API group. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** Validates manifests against the schemas of Kubernetes and of `EXTENSIONS`. */
export interface KubernetesSchemas {
  /** Returns one message per invalid manifest. Unknown fields are errors. */
  readonly validate: (manifests: readonly Manifest[]) => Promise<string[]>;
  readonly remove: () => Promise<void>;
}

/** Installs and caches the schemas. Returns the reason if that is not possible. */
export async function kubernetesSchemas(): Promise<KubernetesSchemas | string> {
  const python = await pythonEnvironment('kubernetes');
  if (typeof python === 'string') return python;
  const models = await installModels();
  if (!path.isAbsolute(models)) return models;
  const work = `${models}.work.${process.pid}`;
  await mkdir(work, { recursive: true });

  const validateBuiltIn = async (manifests: readonly Manifest[]) => {
    const files = await Promise.all(
      manifests.map(async (manifest, index) => {
        const file = path.join(work, `${index}.json`);
        // kubernetes-validate reads YAML 1.1. JSON has the same meaning in YAML 1.1 and 1.2.
        await writeFile(file, JSON.stringify(manifest));
        return file;
      }),
    );
    const { stdout, stderr } = await run(python.program('kubernetes-validate'), ['--strict', ...files]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const passed = lines.filter((line) => line.startsWith('INFO ')).length;
    // Treat warnings about missing schemas as errors, and require one line per file.
    const errors = lines.filter((line) => !line.startsWith('INFO '));
    if (passed + errors.length !== files.length) errors.push(`Some manifests were not validated: ${stderr}`);
    return errors;
  };
  const validateExtension = async (manifest: Manifest): Promise<string[]> => {
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
    if (Model === undefined) return [`${file} does not export ${manifest.kind}`];
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
    validate: async (manifests) => {
      const isExtension = ({ apiVersion }: Manifest) => (apiVersion.split('/')[0] ?? '') in EXTENSIONS;
      const extensions = manifests.filter(isExtension);
      return [
        ...(await validateBuiltIn(manifests.filter((each) => !isExtension(each)))),
        ...(await Promise.all(extensions.map(validateExtension))).flat(),
      ];
    },
    remove: () => rm(work, { recursive: true, force: true }),
  };
}

/** Installs the packages of `kubernetes/package-lock.json`. Returns their folder, or the reason if that is not possible. */
async function installModels(): Promise<string> {
  const source = path.join(import.meta.dirname, 'kubernetes');
  const lock = await readFile(path.join(source, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = path.join(CACHE, `kubernetes-models-${hash}`);
  const reason = await installOnce(folder, async (building) => {
    await cp(source, building, { recursive: true });
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, stderr } = await run('npm', args, { cwd: building });
    if (code === 0) return undefined;
    return `The schemas of custom resources can't be installed: ${stderr.trim().split('\n').at(-1)}`;
  });
  return reason ?? folder;
}

/** Attributes that all manifests must have. */
export const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
