import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { CheckMetadata, Severity, StigRequirement } from '../../../src/checks/check.ts';

type Row = readonly [
  id: string,
  severity: Severity,
  requirement: string,
  group: string,
  rule: string,
  category: StigRequirement['category'],
  ccis: string,
];

/** The severity and STIG identifiers of each check. */
const TABLE: readonly Row[] = [
  [
    'authenticator_password_minimum_length_15',
    'medium',
    '000650',
    'V-273195',
    'SV-273195r1098852_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_complexity_uppercase',
    'low',
    '000670',
    'V-273196',
    'SV-273196r1098855_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_complexity_lowercase',
    'low',
    '000680',
    'V-273197',
    'SV-273197r1098858_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_complexity_number',
    'low',
    '000690',
    'V-273198',
    'SV-273198r1098861_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_complexity_symbol',
    'low',
    '000700',
    'V-273199',
    'SV-273199r1098864_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_minimum_age_24h',
    'low',
    '000740',
    'V-273200',
    'SV-273200r1098867_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_maximum_age_60d',
    'low',
    '000745',
    'V-273201',
    'SV-273201r1098870_rule',
    'CAT II',
    '004066',
  ],
  [
    'authenticator_password_history_5',
    'low',
    '003010',
    'V-273209',
    'SV-273209r1098894_rule',
    'CAT II',
    '004061',
  ],
  [
    'authenticator_password_lockout_threshold_3',
    'medium',
    '000170',
    'V-273189',
    'SV-273189r1098834_rule',
    'CAT II',
    '000044 002238',
  ],
  [
    'authenticator_password_common_password_check',
    'medium',
    '002980',
    'V-273208',
    'SV-273208r1099769_rule',
    'CAT II',
    '004058',
  ],
  [
    'authenticator_directory_verify_fips_compliant',
    'medium',
    '001700',
    'V-273205',
    'SV-273205r1098882_rule',
    'CAT II',
    '001967',
  ],
  [
    'authenticator_smart_card_active',
    'medium',
    '001670',
    'V-273204',
    'SV-273204r1098879_rule',
    'CAT II',
    '001953 002009 002010',
  ],
  [
    'apitoken_not_super_admin',
    'medium',
    '003241',
    'V-279690',
    'SV-279690r1155069_rule',
    'CAT II',
    '005165 000366',
  ],
  [
    'apitoken_restricted_to_network_zone',
    'medium',
    '003240',
    'V-279689',
    'SV-279689r1155066_rule',
    'CAT II',
    '005165 000366',
  ],
  [
    'idp_smart_card_dod_approved_ca',
    'medium',
    '001920',
    'V-273207',
    'SV-273207r1098888_rule',
    'CAT II',
    '002470 004909',
  ],
  [
    'network_zone_block_anonymized_proxies',
    'medium',
    '003243',
    'V-279692',
    'SV-279692r1155075_rule',
    'CAT II',
    '001414',
  ],
  [
    'systemlog_streaming_enabled',
    'high',
    '001430',
    'V-273202',
    'SV-273202r1099766_rule',
    'CAT I',
    '001851 000166 001348',
  ],
  [
    'user_inactivity_automation_35d_enabled',
    'medium',
    '000090',
    'V-273188',
    'SV-273188r1098831_rule',
    'CAT II',
    '000017 000795 003627',
  ],
];
const CHECKS = new URL('../../../src/checks/', import.meta.url);
const SERVICES = ['authenticator', 'apitoken', 'idp', 'network', 'systemlog', 'user'] as const;
const SENTENCES = /^(?:[A-Z]|1\. )(?!.*\s\s).*\.$/;

async function checkOf(id: string): Promise<CheckMetadata> {
  const [service] = id.split('_', 1);
  const { check }: { check: CheckMetadata } = await import(
    `${CHECKS}${service}/${id.replaceAll('_', '-')}.ts`
  );
  return check;
}

describe('check metadata of services other than signon and application', () => {
  it('names each check file after its check ID', async () => {
    const listings = SERVICES.map(async (service) => {
      const files = await readdir(new URL(service, CHECKS));
      return files.filter((file) => file.startsWith(`${service}-`));
    });
    const files = (await Promise.all(listings)).flat();
    const expected = TABLE.map(([id]) => `${id.replaceAll('_', '-')}.ts`);
    assert.deepEqual(files.toSorted(), expected.toSorted());
  });

  for (const [id, severity, requirement, group, rule, category, ccis] of TABLE) {
    it(`has complete and correct metadata for ${id}`, async () => {
      const check = await checkOf(id);
      assert.equal(check.id, id);
      assert.equal(check.service, id.split('_', 1)[0]);
      assert.equal(check.severity, severity);
      assert.equal(check.category, check.service === 'systemlog' ? 'logging' : 'identity-access');
      assert.deepEqual(check.stig, { requirement, group, rule, category, ccis: ccis.split(' ') });

      assert.match(check.title, /^[A-Z].*[^.]$/);
      for (const text of [check.description, check.risk, check.remediation]) {
        assert.match(text, SENTENCES);
        assert.ok(text.split(/\s/).length >= 15, `too short: ${text}`);
      }
      assert.ok(check.notes === '' || SENTENCES.test(check.notes));
      for (const text of [check.title, check.description, check.risk, check.remediation, check.notes]) {
        assert.doesNotMatch(text, /okta/i);
      }

      assert.ok(check.references.length >= 1 && check.references.length <= 3);
      assert.equal(new Set(check.references).size, check.references.length);
      for (const reference of check.references) assert.equal(new URL(reference).protocol, 'https:');
    });
  }
});
