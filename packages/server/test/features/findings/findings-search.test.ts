import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { uidFragments } from '../../../src/features/findings/uid-fragments.ts';
import { ApiError } from '../../../src/jsonapi/errors.ts';
import { searchWord } from '../../../src/resources/search-words.ts';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import type { TenantService } from '../../support/service.ts';
import { startUpgradedService } from '../../support/upgraded-service.ts';
import { itRefusesQueries } from '../../support/wrong-queries.ts';

const CHECKS = ['s3_public', 's3', 'a', 'ec2_open-x', 'iam_100%', 'public_s3', 'kms-', 'É_check'];
const TITLES = [
  'Buckets are private',
  'S3 is safe',
  'A b c',
  'Ports are closed',
  '100% of users',
  'No s3',
  'Keys',
  'Été',
];
const NAMES = ['web-a', 'Web_Public', 's3', 'x', 'db 100%', 'a-s3-b', 'c3', 'ärger', 'p_s3', 'ta'];
const REGIONS = ['eu-west-1', 'us-east-2', 's3-local'];
const ACCOUNTS = ['1234', 'team-a'];
/** Alias of the first account. No other text contains its words. */
const ALIAS = 'Kiosk-Live jumbo';
const COUNT = 160;

/** Texts that a search compares with, by finding id in the order of the upload. */
interface Searched {
  readonly uid: string;
  readonly texts: readonly string[];
}

/** A reproducible sequence of numbers below 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const random = randomNumbers(7);
const integer = (below: number) => Math.floor(random() * below);
const pick = (values: readonly string[]) => values[integer(values.length)] ?? '';

function uidOf(check: string, account: string, name: string, at: number): string {
  switch (integer(8)) {
    case 0:
      return `custom-${name}-${at}`;
    case 1:
      return `${check}/${name}/${check}/${at}`;
    case 2:
      return `${check}${name}#${at}`;
    case 3:
      return `${at}-${name}${check}`;
    default:
      return `scan-aws-${check}-${account}-${name}`;
  }
}

/** The possible numbers of resources of a finding. */
const RESOURCES = [0, 1, 1, 1, 1, 2] as const;

/** With `hasDerivedUid`, each finding has the uid that its only resource determines, so that none of them is stored. */
function searchedFinding(at: number, hasDerivedUid: boolean, maxResources: number) {
  const which = integer(CHECKS.length);
  const check = CHECKS[which] ?? '';
  const title = TITLES[which] ?? '';
  const account = pick(ACCOUNTS);
  const region = pick(REGIONS);
  const length = hasDerivedUid ? 1 : Math.min(RESOURCES[integer(6)] ?? 1, maxResources);
  const resources = Array.from({ length }, () => {
    const name = pick(NAMES);
    return { uid: `arn:${account}:${name}`, name, type: 'Bucket', region, group: { name: 's3' } };
  });
  const name = resources[0]?.name ?? 'none';
  const uid = hasDerivedUid ? `scan-aws-${check}-${account}-${name}` : uidOf(check, account, name, at);
  const texts = [title, check, account, `Name of ${account}`, uid];
  if (account === ACCOUNTS[0]) texts.push(ALIAS);
  for (const resource of resources) texts.push(resource.uid, resource.name);
  const members = {
    time: 1_780_000_000 + at,
    metadata: { event_code: check },
    finding_info: { uid, title },
    cloud: { provider: 'aws', region, account: { uid: account, name: `Name of ${account}` } },
    resources,
  };
  return { record: record(members), searched: { uid, texts } };
}

const isWordCharacter = (character: string) => /^[\p{L}\p{N}]$/u.test(character);

/** The reference: one or two characters at the beginning of a word, three or more anywhere. */
function matches(text: string, word: string): boolean {
  const [lower, searched] = [text.toLowerCase(), word.toLowerCase()];
  const isAnywhere = [...searched].length > 2 || !isWordCharacter(searched[0] ?? '');
  for (let at = lower.indexOf(searched); at >= 0; at = lower.indexOf(searched, at + 1))
    if (isAnywhere || at === 0 || !isWordCharacter(lower[at - 1] ?? '')) return true;
  return false;
}

/** A part of a text, in random case. */
function partOf(text: string): string {
  const start = integer(text.length);
  const part = text.slice(start, start + 1 + integer(random() < 0.5 ? 4 : 30));
  return random() < 0.3 ? part.toUpperCase() : part;
}

const ROUNDS = isWholeRun ? 150 : 50;

type SearchedService = TenantService & Pick<SharedService, 'leave'>;

const CASES: readonly { name: string; hasDerivedUid: boolean; isUpgraded?: boolean }[] = [
  { name: 'stored and derived uids', hasDerivedUid: false },
  ...(isWholeRun
    ? [
        { name: 'derived uids only', hasDerivedUid: true },
        // Starts a separate service.
        { name: 'no keys yet', hasDerivedUid: false, isUpgraded: true },
      ]
    : []),
];

for (const { name, hasDerivedUid, isUpgraded = false } of CASES)
  describe(`the search for findings with ${name}`, () => {
    let service: SearchedService;
    let client: Client;
    let findings: readonly Searched[];
    before(async () => {
      const upgraded = isUpgraded ? await startUpgradedService() : undefined;
      service = upgraded ?? (await joinService());
      client = createClient(service.url, service.key);
      const second = await createSecondTenant(service);
      // The previous release stored only the first resource of a finding.
      const maxResources = isUpgraded ? 1 : 2;
      const all = Array.from({ length: COUNT }, (_, at) => searchedFinding(at, hasDerivedUid, maxResources));
      // Findings with the same uid and account are one finding: only the latest record counts.
      const latest = new Map(
        all.map((finding) => [`${finding.searched.texts[2]} ${finding.searched.uid}`, finding]),
      );
      await client.ingest(Array.from(latest.values(), (finding) => finding.record));
      await second.client.ingest(Array.from(latest.values(), (finding) => finding.record));
      await setAlias();
      if (upgraded !== undefined) {
        service = await upgraded.forgetKeys();
        client = createClient(service.url, service.key);
      }
      const stored = await listed('');
      findings = Array.from(latest.values(), ({ searched }) => {
        const { attributes } =
          stored.find(
            ({ attributes: { uid, account } }) => uid === searched.uid && account === searched.texts[2],
          ) ?? assert.fail(`${searched.uid} is not listed`);
        return { uid: searched.uid, texts: [...searched.texts, String(attributes.region)] };
      });
      assert.equal(stored.length, findings.length);
    });
    after(() => service.leave());

    const listed = async (query: string): Promise<readonly Resource[]> => {
      const { status, body } = await client.get<Resource[]>(`/findings?page[size]=1000&${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    };
    const setAlias = async () => {
      const { body } = await client.get<Resource[]>(`/providers?filter[account]=${ACCOUNTS[0]}`);
      const { type, id } = body.data[0] ?? assert.fail();
      const attributes = { alias: ALIAS };
      const { status } = await client.document('PATCH', `/providers/${id}`, { type, id, attributes });
      assert.equal(status, 200);
    };
    const search = async (text: string) =>
      (await listed(`fields[findings]=uid,account&filter[search]=${encodeURIComponent(text)}`))
        .map(({ attributes: { uid } }) => String(uid))
        .sort();
    const expected = (text: string) => {
      const words = text.split(/\s+/).filter((word) => word !== '');
      return findings
        .filter(({ texts }) => words.every((word) => texts.some((own) => matches(own, word))))
        .map(({ uid }) => uid)
        .sort();
    };

    it('finds the same findings as a comparison of each word with each text', async () => {
      let found = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { texts } = findings[integer(findings.length)] ?? assert.fail();
        const uid = texts[4] ?? '';
        const parts = Array.from({ length: 1 + integer(2) }, () =>
          partOf(random() < 0.6 ? uid : pick(texts)),
        );
        const text = parts.join(' ');
        assert.deepEqual(await search(text), expected(text), `filter[search]=${text}`);
        found += expected(text).length > 0 ? 1 : 0;
      }
      assert.ok(found > (2 / 3) * ROUNDS);
    });

    it('finds a finding by its whole uid', async () => {
      for (const { uid } of findings.slice(0, 20)) {
        const text = uid.split(' ')[0] ?? '';
        assert.ok((await search(text)).includes(uid));
        assert.deepEqual(await search(text), expected(text));
      }
    });

    it('finds findings by the alias of their account', async () => {
      for (const text of ['kiosk', 'JUMBO', 'sk-li', 'ju', 'li web']) {
        const found = await search(text);
        assert.ok(found.length > 0 && found.length < findings.length, text);
        assert.deepEqual(found, expected(text), text);
      }
      assert.deepEqual(await search('ve'), []);
    });

    it('finds words of two characters only at the beginning of a word', async () => {
      for (const text of ['we', 'PU', '10', 'är', 'we pu']) {
        const found = await search(text);
        assert.ok(found.length > 0 && found.length < findings.length, text);
        assert.deepEqual(found, expected(text), text);
      }
      for (const text of ['eb', 'ub', '00', 'rg', 'we ub']) assert.deepEqual(await search(text), [], text);
    });

    it('treats wildcards as ordinary characters', async () => {
      for (const text of ['100%', '%', '_', '__', 'web_', 'c_3', '-', '\\', 's3%'])
        assert.deepEqual(await search(text), expected(text), text);
    });

    it('finds no findings for a long word that contains a check ID at each position', async () => {
      assert.deepEqual(await search('a'.repeat(200)), []);
    });

    it('ignores white space around words and returns all findings for an empty text', async () => {
      assert.deepEqual(await search('  web \t private '), expected('web private'));
      assert.deepEqual(await search(' '), expected(''));
    });

    it('separates words at the placeholder of check IDs', async () => {
      for (const text of ['\u0001', 'aws-\u0001-', 'web\u0001'])
        assert.deepEqual(await search(text), expected(text.replaceAll('\u0001', ' ')), JSON.stringify(text));
    });

    it(`counts the findings of a search in summaries${isUpgraded ? '' : ' and groups'}`, async () => {
      const count = expected('s3').length;
      assert.ok(count > 0 && count < findings.length);
      const summary = await client.get<Resource>('/findings/summary?filter[search]=s3');
      assert.equal(summary.body.data.attributes.count, count);
      if (isUpgraded) return;
      const groups = await client.get<Resource[]>(
        '/findings/groups?by=check&page[size]=100&filter[search]=s3',
      );
      const totals = groups.body.data.map(({ attributes: { total } }) => Number(total));
      assert.equal(
        totals.reduce((sum, total) => sum + total, 0),
        count,
      );
    });

    const words = Array.from({ length: 33 }, (_, at) => `word-${at}`).join('%20');
    itRefusesQueries('/findings', () => client, [
      ['a search text with too many words', `filter[search]=${words}`, 'filter[search]'],
      ['a search text with a word that is too long', `filter[search]=${'a'.repeat(501)}`, 'filter[search]'],
    ]);
  });

it('rejects a word that contains check IDs at too many positions', () => {
  const checks = ['a', 'aa'].map((checkId) => ({ key: checkId, checkId }));
  assert.equal(uidFragments(searchWord('a'.repeat(100)), checks).length, 100 + 99);
  assert.throws(
    () => uidFragments(searchWord('a'.repeat(101)), checks),
    (error) => error instanceof ApiError && error.status === 400,
  );
});
