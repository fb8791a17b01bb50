import type { Category, Control } from './controls/control.ts';
import { PROVIDERS } from './providers/all-providers.ts';
import type { ProviderName } from './providers/provider.ts';
import { elementFor, hashOf, type NonEmpty, Random } from './random.ts';
import type { JsonObject } from './resource-types/resource-type.ts';

/** A control, and the attributes that all findings of the check share. */
export interface Check {
  id: string;
  control: Control;
  severity: string;
  types: string[];
  attacks: JsonObject[];
  remediation: JsonObject;
  /** The `unmapped` attributes that depend only on the check. */
  unmapped: JsonObject;
}

const SEVERITIES: NonEmpty<string> = ['Unknown', 'Informational', 'Low', 'Medium', 'High', 'Critical'];

const DATA_FROM_CLOUD_STORAGE = {
  technique: { uid: 'T1530', name: 'Data from Cloud Storage' },
  tactic: { uid: 'TA0009', name: 'Collection' },
};

const VALID_ACCOUNTS = {
  technique: { uid: 'T1078', name: 'Valid Accounts' },
  tactic: { uid: 'TA0001', name: 'Initial Access' },
};

const EXPLOIT_PUBLIC_FACING_APPLICATION = {
  technique: { uid: 'T1190', name: 'Exploit Public-Facing Application' },
  tactic: { uid: 'TA0001', name: 'Initial Access' },
};

/** MITRE ATT&CK techniques that noncompliance enables. */
const ATTACKS: Readonly<Record<Category, JsonObject>> = {
  encryption: DATA_FROM_CLOUD_STORAGE,
  'identity-access': VALID_ACCOUNTS,
  'internet-exposed': EXPLOIT_PUBLIC_FACING_APPLICATION,
  logging: {
    technique: { uid: 'T1562', name: 'Impair Defenses' },
    tactic: { uid: 'TA0005', name: 'Defense Evasion' },
  },
  resilience: {
    technique: { uid: 'T1485', name: 'Data Destruction' },
    tactic: { uid: 'TA0040', name: 'Impact' },
  },
  secrets: VALID_ACCOUNTS,
  vulnerabilities: EXPLOIT_PUBLIC_FACING_APPLICATION,
};

/** Compliance framework requirements that cover a category. */
const REQUIREMENTS: Readonly<Record<Category, { iso: string[]; nist: string; pci: string }>> = {
  encryption: { iso: ['A.8.24'], nist: 'PR.DS-01', pci: '3.5.1' },
  'identity-access': { iso: ['A.5.15', 'A.8.2'], nist: 'PR.AA-05', pci: '7.2.2' },
  'internet-exposed': { iso: ['A.8.20', 'A.8.22'], nist: 'PR.IR-01', pci: '1.4.2' },
  logging: { iso: ['A.8.15'], nist: 'PR.PS-04', pci: '10.2.1' },
  resilience: { iso: ['A.8.13'], nist: 'PR.DS-11', pci: '12.10.1' },
  secrets: { iso: ['A.5.17'], nist: 'PR.AA-01', pci: '8.6.3' },
  vulnerabilities: { iso: ['A.8.8'], nist: 'PR.PS-02', pci: '6.3.3' },
};

/** Returns the check with this ordinal. It depends only on the provider and the ordinal. */
export function checkAt(provider: ProviderName, ordinal: number): Check {
  const { controls, further } = PROVIDERS[provider].catalog;
  const control = controls[ordinal] ?? further(ordinal - controls.length);
  const random = new Random(hashOf(71, ordinal));
  const id = `${control.service}_${control.code}`;
  return {
    id,
    control,
    severity: elementFor(SEVERITIES, control.severity),
    types: provider === 'aws' ? ['Software and Configuration Checks/AWS Security Best Practices'] : [],
    attacks: randomAttacks(provider, control.category, random),
    remediation: { desc: control.remedy, references: [`https://checks.example.org/${provider}/${id}`] },
    unmapped: {
      related_url: '',
      categories: [control.category],
      depends_on: [],
      related_to: [],
      additional_urls: random.chance(0.5)
        ? [`https://docs.example.org/${provider}/${control.service}/security`]
        : [],
      notes: '',
      compliance: randomCompliance(control.category, random),
    },
  };
}

function randomAttacks(provider: ProviderName, category: Category, random: Random): JsonObject[] {
  if (!random.chance(0.1) || provider === 'kubernetes' || provider === 'okta') {
    return [];
  }
  return [{ ...structuredClone(ATTACKS[category]), version: '16.1' }];
}

/** Maps the check to some of the frameworks. */
function randomCompliance(category: Category, random: Random): JsonObject {
  const { iso, nist, pci } = REQUIREMENTS[category];
  return {
    ...(random.chance(0.8) ? { 'ISO27001-2022': [...iso] } : {}),
    ...(random.chance(0.5) ? { 'NIST-CSF-2.0': [nist] } : {}),
    ...(random.chance(0.3) ? { 'PCI-4.0': [pci] } : {}),
  };
}
