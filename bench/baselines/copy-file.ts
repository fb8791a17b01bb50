import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { reportCost } from './report-cost.ts';

/** Streams a file into COPY, as `\copy` of `psql` does. The time to connect and run `prepare` is not measured. */
export async function copyFile(
  file: string,
  { prepare, copy }: { readonly prepare?: string; readonly copy: string },
): Promise<void> {
  const client = new pg.Client({
    connectionString: process.env.DATABASE_URL,
    options: '-c search_path=sluice',
  });
  await client.connect();
  try {
    if (prepare !== undefined) await client.query(prepare);
    await reportCost(async () => {
      const stream = client.query(copyFrom(copy));
      await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), stream);
      return stream.rowCount;
    });
  } finally {
    await client.end();
  }
}
