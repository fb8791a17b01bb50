import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from './examples.ts';
import { runProcess } from './run-process.ts';

const require = createRequire(import.meta.url);

/** The kinds that the examples use, and the module of `kubernetes-types` that has them. */
const MODULES: Readonly<Record<string, string>> = {
  Secret: 'core/v1',
  ConfigMap: 'core/v1',
  CronJob: 'batch/v1',
};
const kindSchema = z.looseObject({ kind: z.enum(['Secret', 'ConfigMap', 'CronJob']) });

/**
 * What the compiler says against these objects as values of the types made from the Kubernetes OpenAPI document:
 * unknown fields, wrong types and what is missing. Empty: nothing.
 */
export async function kubernetesFaults(documents: readonly unknown[]): Promise<string> {
  const types = path.dirname(require.resolve('kubernetes-types/package.json'));
  const lines = documents.map((document, index) => {
    const { kind } = kindSchema.parse(document);
    const module = JSON.stringify(path.join(types, MODULES[kind] ?? ''));
    return `export const object${index}: import(${module}).${kind} = ${JSON.stringify(document, undefined, 1)};\n`;
  });
  const { folder, write, remove } = await makeFolder();
  try {
    const file = await write('objects.ts', lines.join(''));
    const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--types', ''];
    const { code, stdout } = await runProcess(
      process.execPath,
      [await compiler(), ...words, '--moduleResolution', 'bundler', file],
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

/** The program `tsc` of the installed TypeScript. */
async function compiler(): Promise<string> {
  const manifest = require.resolve('typescript/package.json');
  const { bin } = z
    .object({ bin: z.object({ tsc: z.string() }) })
    .parse(JSON.parse(await readFile(manifest, 'utf8')));
  return path.join(path.dirname(manifest), bin.tsc);
}
