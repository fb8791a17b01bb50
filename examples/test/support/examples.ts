import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** Path of the folder `examples`. */
const EXAMPLES = fileURLToPath(new URL('../..', import.meta.url));

export const example = (name: string): string => path.join(EXAMPLES, name);

export const readExample = (name: string): Promise<string> => readFile(example(name), 'utf8');

/** Parses the documents of a YAML text. Throws the first syntax error. */
export function readYaml(text: string): unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS();
  });
}

/** Replaces the first occurrence of a text. Throws if there is none. */
export function replaceOnce(text: string, search: string, replacement: string): string {
  if (!text.includes(search)) throw new Error(`The example does not contain '${search}'.`);
  return text.replace(search, () => replacement);
}

export interface TemporaryFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
  readonly write: (name: string, content: string) => Promise<string>;
  readonly copy: (name: string) => Promise<void>;
}

export async function createTemporaryFolder(): Promise<TemporaryFolder> {
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
