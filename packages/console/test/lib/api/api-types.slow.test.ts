import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { getDevToolsSkipReason } from '../../../../../scripts/dev-tools.ts';
import { joinService, type SharedService } from '../../../../server/test/support/lanes.ts';
import { apiTypes } from '../../../scripts/api-types.ts';

const TYPES = new URL('../../../src/lib/api/schema.d.ts', import.meta.url);

describe('console API types', { skip: getDevToolsSkipReason() }, () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

  it('has API types that match the OpenAPI description (to update: npm run generate:api --workspace @sluice/console)', async () => {
    assert.equal(await apiTypes(service.url), await readFile(TYPES, 'utf8'));
  });
});
