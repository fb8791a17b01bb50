import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKOUT } from './dockerfile.ts';

/** What Docker would send to the builder: a copy of the checkout as `.dockerignore` lets it through. */
export async function copyBuildContext(folder: string): Promise<void> {
  const lines = (await readFile(path.join(CHECKOUT, '.dockerignore'), 'utf8')).split('\n');
  const [first, ...rules] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*') throw new Error('.dockerignore must begin by leaving everything out');
  const left: string[] = [];
  const out = new Set<string>();
  for (const rule of rules) {
    const [, name] = /^\*\*\/([\w.-]+)$/.exec(rule) ?? [];
    if (name !== undefined) out.add(name);
    else if (/^![\w./-]+$/.test(rule)) left.push(rule.slice(1));
    else throw new Error(`.dockerignore has a rule that this test does not know: ${rule}`);
  }
  for (const name of left) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    const filter = (file: string) => !out.has(path.basename(file));
    await cp(path.join(CHECKOUT, name), path.join(folder, name), { recursive: true, filter });
  }
}
