import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { codeOf, OperatorError } from '../lib/errors.ts';
import { type BackupFolder, MANIFEST_FILE } from './backup-folder.ts';

/** Increment this when older versions of `sluice restore` can't read new backups. */
const FORMAT_VERSION = 1;

const count = z.int().nonnegative();
const file = z.strictObject({ file: z.string(), bytes: count, sha256: z.hex().length(64) });
const table = file.extend({ name: z.string(), columns: z.array(z.string()).min(1), rows: count });
const manifestSchema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  created_at: z.iso.datetime(),
  /** The names of the applied migrations, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(table).min(1),
  /** `file` lists all blobs with size and checksum. */
  blobs: file.extend({
    count,
    /** Sum of the sizes of all blobs. */
    total_bytes: count,
    /** Count of blobs that were already missing from the blob store. */
    missing: count,
  }),
});

/** A file in the backup, with its size in bytes and hexadecimal SHA-256. */
export type BackupFile = z.output<typeof file>;
export type BackupTable = z.output<typeof table>;
export type Manifest = z.output<typeof manifestSchema>;

/**
 * Writes the manifest with its checksum. The manifest is written last: a folder without a manifest is an incomplete
 * backup.
 */
export async function writeManifest(
  folder: BackupFolder,
  manifest: Omit<Manifest, 'version'>,
): Promise<void> {
  const content = { version: FORMAT_VERSION, ...manifest };
  const signed = { ...content, sha256: checksum(content) };
  await folder.writeDurably(MANIFEST_FILE, `${JSON.stringify(signed, undefined, 2)}\n`);
}

/**
 * Reads the manifest of a backup. Throws an OperatorError if it is missing, damaged or from a newer version of Sluice.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const name = path.join(folder, MANIFEST_FILE);
  const text = await readFile(name, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    throw new OperatorError(
      `${folder} is not a complete backup: it contains no ${MANIFEST_FILE}, which 'sluice backup' writes last`,
    );
  });
  const damaged = new OperatorError(`${name} is damaged; restore another backup`);
  const parsed = parse(text);
  if (parsed === undefined) throw damaged;
  const { sha256, ...content } = parsed;
  if (sha256 !== checksum(content)) throw damaged;
  if (content.version !== FORMAT_VERSION)
    throw new OperatorError(
      `${folder} was created by a newer version of Sluice; restore it with that version`,
    );
  const manifest = manifestSchema.safeParse(content);
  if (!manifest.success) throw damaged;
  return manifest.data;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const record = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    return record.data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The checksum depends on the order of the members, which `JSON.parse` preserves. */
function checksum(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
