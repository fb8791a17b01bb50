import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKOUT, type DockerfileName } from './dockerfile.ts';

/** The file that says what is sent: BuildKit prefers `NAME.dockerignore` to the common one. */
const IGNORE_FILES: Readonly<Record<DockerfileName, string>> = {
  Dockerfile: '.dockerignore',
  'Dockerfile.scanner': 'Dockerfile.scanner.dockerignore',
};

/** What Docker would send to the builder: a copy of the checkout as the ignore file lets it through. */
export async function copyBuildContext(folder: string, name: DockerfileName): Promise<void> {
  const ignoreFile = IGNORE_FILES[name];
  const lines = (await readFile(path.join(CHECKOUT, ignoreFile), 'utf8')).split('\n');
  const [first, ...rules] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*') throw new Error(`${ignoreFile} must begin by leaving everything out`);
  const left: string[] = [];
  const out = new Set<string>();
  for (const rule of rules) {
    const [, basename] = /^\*\*\/([\w.-]+)$/.exec(rule) ?? [];
    if (basename !== undefined) out.add(basename);
    else if (/^![\w./-]+$/.test(rule)) left.push(rule.slice(1));
    else throw new Error(`${ignoreFile} has a rule that this test does not know: ${rule}`);
  }
  for (const each of left) {
    await mkdir(path.dirname(path.join(folder, each)), { recursive: true });
    const filter = (file: string) => !out.has(path.basename(file));
    await cp(path.join(CHECKOUT, each), path.join(folder, each), { recursive: true, filter });
  }
}
