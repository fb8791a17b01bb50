import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { createTemporaryFolder } from './examples.ts';
import { runProcess } from './run-process.ts';

const require = createRequire(import.meta.url);

/** Modules of `kubernetes-types` by the object types in the examples. */
const MODULES: Readonly<Record<string, string>> = {
  Secret: 'core/v1',
  ConfigMap: 'core/v1',
  CronJob: 'batch/v1',
};
const manifestSchema = z.looseObject({ kind: z.enum(['Secret', 'ConfigMap', 'CronJob']) });

/**
 * Type-checks objects against types generated from the Kubernetes OpenAPI document. Returns the compiler errors about
 * unknown fields, missing fields, and wrong types, or an empty string.
 */
export async function validateManifests(documents: readonly unknown[]): Promise<string> {
  const types = path.dirname(require.resolve('kubernetes-types/package.json'));
  const lines = documents.map((document, index) => {
    const { kind: type } = manifestSchema.parse(document);
    const module = JSON.stringify(path.join(types, MODULES[type] ?? ''));
    return `export const object${index}: import(${module}).${type} = ${JSON.stringify(document, undefined, 1)};\n`;
  });
  const { folder, write, remove } = await createTemporaryFolder();
  try {
    const file = await write('objects.ts', lines.join(''));
    const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--types', ''];
    const { code, stdout } = await runProcess(
      process.execPath,
      [await compilerPath(), ...args, '--moduleResolution', 'bundler', file],
      {
        cwd: folder,
      },
    );
    if (code === 0) return '';
    return stdout;
  } finally {
    await remove();
  }
}

/** Returns the path of the installed `tsc`. */
async function compilerPath(): Promise<string> {
  const manifest = require.resolve('typescript/package.json');
  const { bin } = z
    .object({ bin: z.object({ tsc: z.string() }) })
    .parse(JSON.parse(await readFile(manifest, 'utf8')));
  return path.join(path.dirname(manifest), bin.tsc);
}
