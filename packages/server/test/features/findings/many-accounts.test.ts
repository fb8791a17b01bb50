import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_KEYS } from '../../../src/resources/prepare-conditions.ts';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

/** Too many accounts of one type to be passed as parameters, and a few of another one. */
const ACCOUNTS = { aws: MAX_KEYS + 100, azure: 10 } as const;

describe('the findings of more accounts than are passed as parameters', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    const records = Object.entries(ACCOUNTS).flatMap(([provider, count]) =>
      Array.from({ length: count }, (_, at) =>
        record({
          status_code: 'FAIL',
          finding_info: { uid: `${provider} finding ${at}` },
          cloud: { provider, account: { uid: `${provider}-${at}` } },
          resources: [{ uid: `${provider} resource ${at}` }],
        }),
      ),
    );
    await client.ingest(records);
  });
  after(() => service.leave());

  const attributesOf = async (path: string) => (await client.get<Resource>(path)).body.data.attributes;
  const countOf = async (path: string) => (await client.get(path)).body.meta.pagination.count;
  const cases = [
    ['provider_type]=aws', ACCOUNTS.aws],
    ['provider_type]=azure', ACCOUNTS.azure],
    ['provider_type__in]=aws,azure', ACCOUNTS.aws + ACCOUNTS.azure],
    ['provider_type]=gcp', 0],
    ['account__in]=aws-7,aws-8,azure-9', 3],
  ] as const;
  for (const [filter, expected] of cases)
    it(`are the same in lists, groups, the summary, the trend and resources with filter[${filter}`, async () => {
      const query = `filter[${filter}`;
      assert.equal(await countOf(`/findings?${query}`), expected);
      assert.equal(await countOf(`/findings?${query}&sort=-severity&filter[delta]=new`), expected);
      assert.equal(await countOf(`/findings/groups?by=resource&${query}`), expected);
      assert.equal(await countOf(`/resources?${query}`), expected);
      // The first is counted from totals, the second from findings.
      assert.equal((await attributesOf(`/findings/summary?${query}`)).failed, expected);
      assert.equal(
        (await attributesOf(`/findings/summary?${query}&filter[first_seen_at__gte]=2000-01-01`)).failed,
        expected,
      );
      const { days } = await attributesOf(`/findings/trend?days=2&${query}`);
      assert.partialDeepStrictEqual(days, [{ failed: 0 }, { failed: expected, providers: expected }]);
    });
});
