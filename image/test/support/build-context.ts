import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKOUT, type DockerfileName } from './dockerfile.ts';

/** The ignore file of each Dockerfile. BuildKit prefers `NAME.dockerignore` to `.dockerignore`. */
const IGNORE_FILES: Readonly<Record<DockerfileName, string>> = {
  Dockerfile: '.dockerignore',
  'Dockerfile.scanner': 'Dockerfile.scanner.dockerignore',
};

/** Copies the build context: the files of the checkout that the ignore file does not exclude. */
export async function copyBuildContext(folder: string, name: DockerfileName): Promise<void> {
  const ignoreFile = IGNORE_FILES[name];
  const lines = (await readFile(path.join(CHECKOUT, ignoreFile), 'utf8')).split('\n');
  const [first, ...rules] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*') throw new Error(`The first rule of ${ignoreFile} must be *`);
  const included: string[] = [];
  const excludedNames = new Set<string>();
  for (const rule of rules) {
    const [, basename] = /^\*\*\/([\w.-]+)$/.exec(rule) ?? [];
    if (basename !== undefined) excludedNames.add(basename);
    else if (/^![\w./-]+$/.test(rule)) included.push(rule.slice(1));
    else throw new Error(`Unsupported rule in ${ignoreFile}: ${rule}`);
  }
  for (const each of included) {
    await mkdir(path.dirname(path.join(folder, each)), { recursive: true });
    const filter = (file: string) => !excludedNames.has(path.basename(file));
    await cp(path.join(CHECKOUT, each), path.join(folder, each), { recursive: true, filter });
  }
}
