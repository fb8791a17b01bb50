import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { joinService, type SharedService } from '../support/lanes.ts';

/** PostgreSQL's size limit for a B-tree entry: one third of a page. */
const MAX_ENTRY_BYTES = 2704;
/** Maximum UTF-8 bytes per UTF-16 code unit. A four-byte character has two code units. */
const BYTES_PER_UNIT = 3;
/** Space for the other columns and the entry header. */
const OTHER_BYTES = 120;

/**
 * Every indexed text column with its maximum length in UTF-16 code units. Longer values are rejected, or truncated with
 * a warning. Index a text column only if the length of its values is limited.
 */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  // entered by operators and administrators
  'users_email.lower': 254,
  'roles.name': 200,
  'api_keys.prefix': 16,
  'api_key_prefixes.prefix': 16,
  'schema_migrations.name': 100,
  // from records: firstText in @sluice/ocsf
  'providers.type': 100,
  'providers.account': 512,
  'checks.provider_type': 100,
  'checks.check_id': 512,
  // the generated column takes a prefix
  'resources.sort_name': 200,
  // from records: optionalLabel in @sluice/ocsf
  'finding_counts.service': 512,
  // codes and pointers from Sluice itself
  'ingestion_errors.code': 50,
  'ingestion_error_counts.code': 50,
  'ingestion_warnings.code': 50,
  'ingestion_warnings.pointer': 100,
  'ingestion_warning_counts.code': 50,
  // limited by the request header schema
  'idempotency_keys.key': 255,
};

describe('indexed texts', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('limits all indexed text columns to lengths that fit into their indexes', async () => {
    const rows = await service.ownerSql<{ index: string; text: string }>(
      `select i.indexrelid::regclass::text as index,
         case when k.attnum = 0 then i.indexrelid::regclass::text || '.' || a.attname
           else i.indrelid::regclass::text || '.' || c.attname end as text
       from pg_index i
       join pg_class r on r.oid = i.indexrelid
       join pg_am m on m.oid = r.relam and m.amname = 'btree'
       cross join unnest(i.indkey::int[]) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = i.indexrelid and a.attnum = k.place
       left join pg_attribute c on c.attrelid = i.indrelid and c.attnum = k.attnum and k.attnum <> 0
       where r.relnamespace = 'sluice'::regnamespace and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
       order by 1, k.place`,
    );
    const texts = rows.map(({ index, text }) => ({ index: withoutSchema(index), text: withoutSchema(text) }));
    assert.deepEqual([...new Set(texts.map(({ text }) => text))].sort(), Object.keys(MAX_LENGTHS).sort());
    for (const [index, columns] of Map.groupBy(texts, (text) => text.index)) {
      const units = columns.reduce(
        (sum, { text }) => sum + (MAX_LENGTHS[text] ?? Number.POSITIVE_INFINITY),
        0,
      );
      assert.ok(
        units * BYTES_PER_UNIT + OTHER_BYTES <= MAX_ENTRY_BYTES,
        `${index} may contain ${units} code units`,
      );
    }
  });
});

/** Removes the schema name, which is present only with some search paths. */
function withoutSchema(name: string): string {
  return name.replace(/^sluice\./, '');
}
