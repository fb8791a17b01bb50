import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DetectionFinding, FindingResource } from '@sluice/ocsf';
import fc from 'fast-check';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { compareAttributes } from '../../../src/ingest/merge/resource-attributes.ts';

const PROVIDER = '0198a000-0000-7000-8000-000000000001';
const OTHER_PROVIDER = '0198a000-0000-7000-8000-000000000002';

function resourceOf(members: Partial<FindingResource> = {}): FindingResource {
  return { uid: 'bucket', name: 'Bucket', type: null, region: null, service: null, labels: [], ...members };
}

const FINDING = {
  uid: 'prefix-check-suffix',
  checkId: 'check',
  providerType: 'aws',
  account: '1',
  accountName: null,
  status: 'FAIL',
  muted: false,
  severity: 4,
  statusDetail: null,
  time: 1000,
  product: null,
  productVersion: null,
  resources: [],
  region: null,
  scanUid: null,
} as const;

function findingOf(members: Partial<DetectionFinding> = {}): DetectionFinding {
  return { ...FINDING, ...members };
}

describe('the uid pattern of a resource', () => {
  it('comes from the first finding of the resource', () => {
    const references = new FrameReferences(true);
    const first = references.resource(PROVIDER, resourceOf(), findingOf({ uid: 'one-check' }));
    const second = references.resource(PROVIDER, resourceOf(), findingOf({ uid: 'two-check', time: 9000 }));
    assert.equal(first, second);
    assert.deepEqual(second?.finding, { uid: 'one-check', checkId: 'check' });
  });

  it('is null in a database with the previous layout', () => {
    const reference = new FrameReferences(false).resource(PROVIDER, resourceOf(), findingOf());
    assert.equal(reference?.finding, null);
  });
});

describe('the references of a frame', () => {
  it('have 50,000 resources at most, in addition to the first resource of each finding', () => {
    const references = new FrameReferences(true);
    const uid = (finding: number, resource: number) => `${finding}-${resource}`;
    let others = 0;
    for (let at = 0; at < 600; at++) {
      const resources = Array.from({ length: 100 }, (_, one) => resourceOf({ uid: uid(at, one) }));
      const finding = findingOf({ resources: [...resources, resourceOf({ uid: uid(0, 1) })] });
      assert.notEqual(references.resource(PROVIDER, resources[0], finding), null);
      const found = references.others(PROVIDER, finding);
      others += found.length;
      assert.equal(found.at(-1)?.uid, uid(0, 1), 'a known resource is never left out');
    }
    assert.equal(references.resources.size, 50_000 + 100);
    assert.equal(others + references.omitted, 600 * 100);
  });

  it('have one facet for each combination of service, region, resource type and product', () => {
    const references = new FrameReferences(true);
    const names = ['service', 'region', 'resourceType', 'product'] as const;
    const combinations = fc.sample(
      fc.record(
        Object.fromEntries(
          names.map((name) => [name, fc.constantFrom(null, '', 'a', 'b', '\u0001', 'a\u0001')]),
        ),
      ),
      500,
    );
    const ids = new Map<string, Set<string>>();
    for (const members of combinations) {
      const { service = null, region = null, resourceType = null, product = null } = members;
      const resources = [resourceOf({ service, type: resourceType })];
      const { id, ...facet } = references.facet(findingOf({ region, product, resources }));
      const values = JSON.stringify(names.map((name) => facet[name]));
      assert.equal(values, JSON.stringify(names.map((name) => members[name])));
      ids.set(values, (ids.get(values) ?? new Set()).add(id));
    }
    assert.ok([...ids.values()].every((set) => set.size === 1));
    assert.equal(new Set([...ids.values()].flatMap((set) => [...set])).size, ids.size);
    assert.equal(references.facets.length, ids.size);
  });

  it('have one resource for each provider and uid, and none for a resource without a uid', () => {
    const references = new FrameReferences(true);
    const finding = findingOf();
    const one = references.resource(PROVIDER, resourceOf(), finding);
    const other = references.resource(OTHER_PROVIDER, resourceOf(), finding);
    assert.notEqual(one, other);
    assert.equal(references.resource(PROVIDER, resourceOf({ name: 'Other' }), finding), one);
    assert.equal(references.resource(PROVIDER, resourceOf({ uid: null }), finding), null);
    assert.equal(references.resources.size, 2);
  });

  it('have one check for each provider type and check id', () => {
    const references = new FrameReferences(true);
    assert.equal(references.check(findingOf()), references.check(findingOf({ account: '2' })));
    references.check(findingOf({ providerType: 'azure' }));
    references.check(findingOf({ checkId: 'other' }));
    assert.equal(references.checks.size, 3);
  });

  it('keep the attributes of the newest record, or the greater attributes of simultaneous records, in any order', () => {
    const names = fc.constantFrom(null, 'a', 'b');
    const records = fc.array(
      fc.tuple(
        fc.constantFrom(1000, 2000),
        fc.record({ name: names, labels: fc.array(fc.constantFrom('x', 'y')) }),
      ),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(records, (observed) => {
        const [first] = observed
          .toSorted(([a, x], [b, y]) => b - a || compareAttributes(resourceOf(y), resourceOf(x)))
          .map(([time, members]) => ({ time, attributes: resourceOf(members) }));
        const references = new FrameReferences(true);
        for (const [time, members] of observed)
          references.resource(PROVIDER, resourceOf(members), findingOf({ time }));
        const [reference] = references.resources.values();
        assert.deepEqual({ time: reference?.time, attributes: reference?.attributes }, first);
      }),
    );
  });
});
