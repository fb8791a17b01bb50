import { CONTROLS } from './controls.ts';
import { MORE_CONTROLS } from './more-controls.ts';
import type { JsonObject, ProviderName } from './providers/provider.ts';
import { elementFor, hashOf, type NonEmpty, Random } from './random.ts';
import { SCOPES } from './scopes.ts';

/** The attributes that all findings of a check share. */
export interface Check {
  id: string;
  service: string;
  title: string;
  severity: string;
  severityId: number;
  desc: string;
  risk: string;
  pass: string;
  fail: string;
  types: string[];
  attacks: JsonObject[];
  remediation: JsonObject;
  /** The attributes of `unmapped` that depend only on the check. */
  unmapped: JsonObject;
}

const SEVERITIES: NonEmpty<string> = ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical'];

const ATTACKS = [
  {
    technique: { uid: 'T1530', name: 'Data from Cloud Storage' },
    tactic: { uid: 'TA0009', name: 'Collection' },
  },
  { technique: { uid: 'T1078', name: 'Valid Accounts' }, tactic: { uid: 'TA0001', name: 'Initial Access' } },
  { technique: { uid: 'T1485', name: 'Data Destruction' }, tactic: { uid: 'TA0040', name: 'Impact' } },
  {
    technique: { uid: 'T1562', name: 'Impair Defenses' },
    tactic: { uid: 'TA0005', name: 'Defense Evasion' },
  },
] as const;

const ALL_CONTROLS: NonEmpty<(typeof CONTROLS)[number]> = [...CONTROLS, ...MORE_CONTROLS];

/** Returns the check with this ordinal. It depends only on the provider and the ordinal. */
export function checkAt(provider: ProviderName, ordinal: number): Check {
  const control = elementFor(ALL_CONTROLS, ordinal);
  const scopeNumber = Math.floor(ordinal / ALL_CONTROLS.length);
  const scope = elementFor(SCOPES, scopeNumber);
  const version = Math.floor(scopeNumber / SCOPES.length) + 1;
  const random = new Random(hashOf(71, ordinal));

  const versionSuffix = version > 1 ? `v${version}` : '';
  const id = joinNonEmpty('_', [control.service, control.code, scope.code, versionSuffix]);
  const referenceUrl = `https://checks.example.org/${provider}/${id}`;
  return {
    id,
    service: control.service,
    title: joinNonEmpty(' ', [control.title, scope.suffix, versionSuffix && `(${versionSuffix})`]),
    severity: elementFor(SEVERITIES, control.severity),
    severityId: control.severity,
    desc: control.desc,
    risk: control.risk,
    pass: control.pass,
    fail: control.fail,
    types: provider === 'aws' ? ['Configuration Checks'] : [],
    attacks: randomAttacks(provider, random),
    remediation: { desc: control.remedy, references: [referenceUrl] },
    unmapped: {
      related_url: '',
      categories: [control.category],
      depends_on: [],
      related_to: [],
      additional_urls: random.chance(0.5)
        ? [`https://docs.example.org/${control.service}/${random.hex(8)}`]
        : [],
      notes: scope.note,
      compliance: randomCompliance(random),
    },
  };
}

function randomAttacks(provider: ProviderName, random: Random): JsonObject[] {
  const attack = ATTACKS[random.below(ATTACKS.length * 12)];
  if (attack === undefined || provider === 'kubernetes' || provider === 'okta') {
    return [];
  }
  return [{ technique: { ...attack.technique }, tactic: { ...attack.tactic }, version: '16.1' }];
}

/** Assigns random requirements of real compliance frameworks. */
function randomCompliance(random: Random): JsonObject {
  const compliance: JsonObject = {};
  const number = (max: number) => `${1 + random.below(max)}`;
  if (random.chance(0.6)) compliance['CIS-3.0'] = [`${number(5)}.${number(20)}`];
  if (random.chance(0.25)) compliance['ISO27001-2022'] = [`A.5.${number(37)}`, `A.8.${number(34)}`];
  if (random.chance(0.1)) compliance['NIST-CSF-2.0'] = [`PR.DS-${number(11)}`];
  if (random.chance(0.1)) compliance['PCI-4.0'] = [`${number(12)}.${number(6)}.${number(5)}`];
  return compliance;
}

function joinNonEmpty(separator: string, parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(separator);
}
