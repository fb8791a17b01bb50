import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Service } from '../../packages/server/test/support/service.ts';

/** Exports the rows of the `findings` table to a file for `copy-finished-rows.ts`. */
export async function exportFinishedRows({ connect }: Pick<Service, 'connect'>, file: string): Promise<void> {
  const client = await connect();
  try {
    const rows = client.query(copyTo('copy findings to stdout (format binary)'));
    await pipeline(rows, createWriteStream(file));
  } finally {
    await client.end();
  }
}
