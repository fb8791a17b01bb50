import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/network/network-zone-block-anonymized-proxies.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type { Zone } from '../../../src/directory/snapshot.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { zone } from './zone.ts';

const evaluate = (...zones: readonly Zone[]) => check.evaluate(contextOf({ zones: read(zones) }));
const FAIL = [
  'FAIL',
  'directory-network-zones',
  /covers anonymizing proxies \(active blocklist zones: \d\)\. Add/,
] as const;

describe(check.id, () => {
  it('passes an enhanced dynamic blocklist that covers a complete service category', () => {
    const categories = [
      'ANONYMIZER',
      'ALL_ANONYMIZERS',
      'all_anonymizers_except_tor',
      'ALL_PROXIES_VPNS',
      'ALL_IP_SERVICES',
    ];
    for (const category of categories) {
      const verdicts = evaluate(zone({ categories: ['RISKY_IPS', category, 'NORD_VPN'] }));
      assertVerdicts(verdicts, ['PASS', 'zone-1', /"Anonymizers"/, new RegExp(`${category}, NORD_VPN\\.`)]);
    }
  });

  it('returns MANUAL for a blocklist of individual services and reports the services', () => {
    for (const category of [
      'OXYLABS_PROXY',
      'nord_vpn',
      'ANONYMIZER_TOR',
      'TOR',
      'APPLE_ICLOUD_RELAY_PROXY',
    ]) {
      const verdicts = evaluate(zone({ categories: ['RISKY_IPS', category] }));
      const named = new RegExp(`blocks only the IP service categories ${category}. Verify manually`);
      assertVerdicts(verdicts, ['MANUAL', 'zone-1', named]);
    }
  });

  it('subtracts excluded categories from included categories', () => {
    const excluding = (included: string, excluded: string) =>
      evaluate(zone({ categories: [included], excludedCategories: ['RISKY_IPS', excluded] }));
    for (const [included, excluded] of [
      ['ALL_ANONYMIZERS', 'ALL_ANONYMIZERS'],
      ['ALL_PROXIES_VPNS', 'all_proxies_vpns'],
      ['ALL_ANONYMIZERS_EXCEPT_TOR', 'ALL_ANONYMIZERS'],
      ['ALL_IP_SERVICES', 'ALL_ANONYMIZERS'],
      ['ALL_ANONYMIZERS', 'ALL_IP_SERVICES'],
      ['NORD_VPN', 'NORD_VPN'],
    ] as const) {
      assertVerdicts(excluding(included, excluded), FAIL);
    }
    assertVerdicts(excluding('ALL_ANONYMIZERS', 'NORD_VPN'), [
      'MANUAL',
      'zone-1',
      /blocks only the IP service categories ALL_ANONYMIZERS except NORD_VPN\. /,
    ]);
    assertVerdicts(excluding('ALL_ANONYMIZERS', 'HOSTING'), ['PASS', 'zone-1']);
  });

  it('fails a zone whose category names only resemble anonymizer categories', () => {
    for (const category of [
      'RISKY_IPS',
      'STORAGE',
      'EDITOR_SERVICES',
      'MONITOR',
      'PROXYLESS',
      'HOSTING_EXCEPT_VPN',
    ]) {
      assertVerdicts(evaluate(zone({ categories: [category] })), FAIL);
    }
  });

  it('fails an enhanced dynamic zone without categories, even if it is the system zone', () => {
    assertVerdicts(evaluate(zone({ categories: [], system: true })), FAIL);
  });

  it('passes a dynamic zone that blocks any proxy type, and returns MANUAL if it has a specific type or none', () => {
    const dynamic = (proxyType: string | null) =>
      evaluate(zone({ type: 'DYNAMIC', categories: [], proxyType }));
    assertVerdicts(dynamic('Any'), ['PASS', 'zone-1', /with the proxy type Any\.$/]);
    assertVerdicts(dynamic('TorAnonymizer'), [
      'MANUAL',
      'zone-1',
      /with the proxy type TorAnonymizer\. Verify/,
    ]);
    assertVerdicts(dynamic('NotTorAnonymizer'), ['MANUAL', 'zone-1', /proxy type NotTorAnonymizer\. /]);
    assertVerdicts(dynamic(''), ['MANUAL', 'zone-1', /with no proxy type\. /]);
    assertVerdicts(dynamic(null), ['MANUAL', 'zone-1', /with no proxy type\. /]);
    assertVerdicts(evaluate(zone({ proxyType: 'Any', categories: [] })), FAIL);
  });

  it('ignores policy zones, inactive zones, and zones without a status or usage', () => {
    const verdicts = evaluate(
      zone({ usage: 'POLICY' }),
      zone({ status: 'INACTIVE' }),
      zone({ status: null }),
      zone({ status: '' }),
      zone({ usage: null }),
    );
    assertVerdicts(verdicts, [
      ...FAIL,
      /^The Directory organization has no active blocklist zone .* \(active blocklist zones: 0\)/,
    ]);
  });

  it('ignores the letter case of status, usage and type', () => {
    assertVerdicts(evaluate(zone({ status: 'active', usage: 'blocklist', type: 'dynamic_v2' })), [
      'PASS',
      'zone-1',
    ]);
  });

  it('returns MANUAL for a zone of fixed addresses and reports the address count', () => {
    const listed = zone({
      id: 'zone-ip',
      name: 'Listed',
      type: 'IP',
      categories: [],
      gateways: ['192.0.2.0/24'],
    });
    assertVerdicts(evaluate(listed), [
      'MANUAL',
      'zone-ip',
      /"Listed" lists fixed addresses \(1 as gateways, 0 as proxies\)/,
    ]);
    assertVerdicts(evaluate({ ...listed, gateways: [], proxies: ['192.0.2.1'] }), ['MANUAL', 'zone-ip']);
    assertVerdicts(evaluate({ ...listed, gateways: [] }), FAIL);
  });

  it('reports a passing zone if there is one, otherwise the first zone by name and ID', () => {
    const listed = zone({ id: 'zone-ip', name: 'A', type: 'IP', gateways: ['192.0.2.0/24'] });
    const dynamic = [
      zone({ id: 'z', name: 'C' }),
      zone({ id: 'y', name: 'B' }),
      zone({ id: 'x', name: 'B' }),
    ];
    assertVerdicts(evaluate(listed, ...dynamic), ['PASS', 'x']);
  });

  it('fails when the organization has no zones', () => {
    const verdicts = evaluate();
    assertVerdicts(verdicts, FAIL);
    assert.equal(verdicts[0]?.resource.name, 'Directory Network Zones');
  });

  it('returns MANUAL when the zones could not be read', () => {
    const zones = unread<readonly Zone[]>(scopeMissing('directory.networkZones.read'));
    assertVerdicts(check.evaluate(contextOf({ zones })), [
      'MANUAL',
      'network-zones-scope-missing',
      /networkZones\.read/,
    ]);
    for (const { problem, pattern } of FAILED_READS) {
      const verdicts = check.evaluate(contextOf({ zones: unread<readonly Zone[]>(problem) }));
      assertVerdicts(verdicts, ['MANUAL', 'network-zones-retrieval-error', pattern]);
      assert.equal(verdicts[0]?.resource.name, '(retrieval failed)');
    }
  });
});
