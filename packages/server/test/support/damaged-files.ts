import { readFile, rm, writeFile } from 'node:fs/promises';

/** Restores the content of a file. */
type Restore = () => Promise<void>;

/** Flips a bit at a position; negative positions count from the end. */
export async function flipBit(file: string, position: number): Promise<Restore> {
  const content = await readFile(file);
  const damaged = Buffer.from(content);
  const at = (position + damaged.length) % damaged.length;
  damaged[at] = (damaged[at] ?? 0) ^ 4;
  await writeFile(file, damaged);
  return () => writeFile(file, content);
}

export async function removeFile(file: string): Promise<Restore> {
  const content = await readFile(file);
  await rm(file);
  return () => writeFile(file, content);
}
