import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withCheckTexts } from '../../../src/features/findings/repository.ts';

describe('check titles and categories in findings', () => {
  it('reads the title and categories of each check once per page of findings', async () => {
    const statements: unknown[][] = [];
    const texts = { check_title: 'Title', categories: ['a', 'b'] };
    const client = {
      query: async (_sql: string, values: unknown[]) => {
        statements.push(values);
        return { rows: [{ provider_type: 'aws', check_id: 'known', ...texts }] };
      },
    };
    const findings = Array.from({ length: 1000 }, (_, at) => ({
      id: at,
      provider_type: 'aws',
      check_id: at % 2 === 0 ? 'known' : 'unknown',
    }));
    const rows = await withCheckTexts(client as never, 'tenant', findings, { isBrief: true });
    assert.deepEqual(statements, [['tenant', ['aws', 'aws'], ['known', 'unknown']]]);
    assert.deepEqual(
      rows,
      findings.map((row) => ({
        ...row,
        ...(row.check_id === 'known' ? texts : { check_title: null, categories: [] }),
      })),
    );
  });

  it('sends no statement for a page without findings', async () => {
    const client = { query: () => assert.fail('a statement was sent') };
    assert.deepEqual(await withCheckTexts(client as never, 'tenant', [], { isBrief: true }), []);
  });
});
