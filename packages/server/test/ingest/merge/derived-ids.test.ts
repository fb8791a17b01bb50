import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { DetectionFinding } from '@sluice/ocsf';
import { uuidBytes } from '../../../src/ingest/merge/copy-writer.ts';
import { resourceId } from '../../../src/ingest/merge/ensure-resources.ts';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { scanId } from '../../../src/ingest/merge/scans.ts';

import { joinService, type SharedService } from '../../support/lanes.ts';

const TEXTS = [
  null,
  '',
  's3',
  'eu-west-1',
  'é',
  '\u00e9\u0301',
  '\u0001',
  '\u0001s3',
  ' ',
  '😀',
  'a\nb',
  "it's",
  '\\x00',
];

let service: SharedService;
before(async () => {
  service = await joinService();
});
after(async () => await service.leave());

const idOf = async (call: string, values: readonly unknown[]) => {
  const [row] = await service.sql<{ id: string }>(`select ${call} as id`, [...values]);
  return row?.id;
};

it('PostgreSQL derives the same ids of facets, resources and scans as the service', async () => {
  const [provider, ingestion] = [randomUUID(), randomUUID()];
  const references = new FrameReferences(false);
  for (const [at, text] of TEXTS.entries()) {
    const others = [TEXTS[(at + 1) % TEXTS.length] ?? null, TEXTS[(at + 5) % TEXTS.length] ?? null] as const;
    const resources = [{ service: text, type: others[1] }];
    const facet = { resources, region: others[0], product: null } as unknown as DetectionFinding;
    assert.equal(await idOf('finding_facet_id($1, $2, $3)', [text, ...others]), references.facet(facet).id);
    assert.equal(
      await idOf('finding_scan_id($1, $2, $3)', [ingestion, provider, text]),
      scanId(ingestion, provider, text),
    );
    const resource = (await idOf('finding_resource_id($1, $2)', [provider, text])) ?? null;
    assert.equal(
      resource && uuidBytes(resource),
      text === null ? null : resourceId({ providerId: provider, uid: text }),
    );
  }
});
