import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import { fastify } from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { stopWhenInputEnds } from '../process/child.ts';
import { type FindingRecord, isFindingRecord } from './finding-schema.ts';
import { createFindingsTable, type Database } from './findings-table.ts';
import { insertFindings } from './insert-findings.ts';

// Baseline (e): a straightforward service without optimizations, in a separate process. Prints its address when it is ready.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
await createFindingsTable(db);

const app = fastify();
await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
app.post('/api/v1/ingestions', async (request, reply) => {
  const file = await request.file();
  if (file === undefined) return await reply.code(400).send({ error: 'The part "file" is missing' });
  const values: unknown = JSON.parse((await file.toBuffer()).toString('utf8'));
  if (!Array.isArray(values)) return await reply.code(400).send({ error: 'The file is not an array' });
  const records: FindingRecord[] = [];
  const errors: unknown[] = [];
  for (const [index, value] of values.entries()) {
    if (isFindingRecord(value)) records.push(value);
    else errors.push({ index, errors: isFindingRecord.errors });
  }
  await insertFindings(db, records);
  const data = { id: randomUUID(), records: records.length, invalid: errors.length, errors };
  return await reply.code(202).send({ data });
});
await app.listen({ port: 0, host: '127.0.0.1' });
stopWhenInputEnds(async () => {
  await app.close();
  await db.destroy();
});
console.log(JSON.stringify(app.listeningOrigin));
