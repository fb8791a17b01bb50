import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** The folder `examples/`. */
export const EXAMPLES = fileURLToPath(new URL('../..', import.meta.url));

export const example = (name: string): string => path.join(EXAMPLES, name);

export const readExample = (name: string): Promise<string> => readFile(example(name), 'utf8');

/** The documents of a YAML text; throws at the first that is no YAML. */
export function readYaml(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS();
  });
}

/** A copy of an example's text in which one thing is wrong; throws where there was nothing to replace. */
export function broken(text: string, right: string, wrong: string): string {
  if (!text.includes(right)) throw new Error(`the example has no '${right}' that a test could break`);
  return text.replace(right, () => wrong);
}

export interface TemporaryFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
  readonly write: (name: string, content: string) => Promise<string>;
  readonly copy: (name: string) => Promise<void>;
}

export async function makeFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-examples-'));
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    write: async (name, content) => {
      const file = path.join(folder, name);
      await writeFile(file, content);
      return file;
    },
    copy: (name) => cp(example(name), path.join(folder, path.basename(name)), { recursive: true }),
  };
}
