import type { CheckMetadata, Thresholds, Verdict } from '../../../src/checks/check.ts';
import type { Finding, ScanInfo } from '../../../src/checks/finding.ts';
import { ALL_FRAMEWORKS } from '../../../src/compliance/all-frameworks.ts';
import { type ComplianceResult, complianceResults } from '../../../src/compliance/compliance-results.ts';
import type { Framework } from '../../../src/compliance/framework.ts';
import { defaultConfig } from '../../../src/config-file/read-config-file.ts';
import { DIALECTS } from '../../../src/directory/dialect.ts';

/** A scan with the values used in the expected outputs. */
export function scan(overrides: Partial<ScanInfo> = {}): ScanInfo {
  return {
    scanId: '019aa5f2-6c31-7b1e-9d3a-5f0c2b7e4a10',
    startedAt: new Date('2026-11-21T08:53:37.587Z'),
    scannerVersion: '0.1.0',
    orgDomain: 'acme.directory.com',
    clientId: '0oa1client',
    provider: 'directory',
    ...overrides,
  };
}

export function check(overrides: Partial<CheckMetadata> = {}): CheckMetadata {
  return {
    id: 'signon_global_session_lifetime_18h',
    service: 'signon',
    severity: 'medium',
    title: 'Sessions end after 18 hours',
    description: 'The first rule of each session policy ends sessions after 18 hours at most.',
    risk: 'A stolen session stays usable.',
    remediation: 'Set the lifetime to 18 hours or less.',
    references: ['https://example.com/sessions', 'https://example.com/stig'],
    category: 'identity-access',
    stig: {
      requirement: '001665',
      group: 'V-273203',
      rule: 'SV-273203r1099958_rule',
      category: 'CAT II',
      ccis: ['002038', '000057'],
    },
    notes: '',
    ...overrides,
  };
}

interface FindingOverrides {
  readonly check?: Partial<CheckMetadata>;
  readonly status?: Verdict['status'];
  readonly detail?: string;
  readonly resource?: Partial<Verdict['resource']>;
  readonly muted?: boolean;
}

export function finding({
  check: checkOverrides = {},
  status = 'FAIL',
  detail = 'Sessions last 24 hours; 18 hours are allowed.',
  resource = {},
  muted = false,
}: FindingOverrides = {}): Finding {
  return {
    check: check(checkOverrides),
    verdict: {
      status,
      detail,
      resource: { id: '00p1', name: 'Default Policy', data: { id: '00p1', priority: null }, ...resource },
    },
    muted,
  };
}

const MFA: Partial<CheckMetadata> = {
  id: 'application_admin_console_mfa_required',
  service: 'application',
  severity: 'high',
  title: 'The Admin Console requires two factors',
  stig: {
    requirement: '000560',
    group: 'V-273193',
    rule: 'SV-273193r1098846_rule',
    category: 'CAT I',
    ccis: ['000765'],
  },
};
const UPPERCASE: Partial<CheckMetadata> = {
  id: 'authenticator_password_complexity_uppercase',
  service: 'authenticator',
  severity: 'low',
};

/** Findings with each status, including muted findings, in three services and two categories. */
export function variedFindings(): readonly Finding[] {
  return [
    finding(),
    finding({ status: 'PASS', resource: { id: '00p2', name: 'Strict Policy' } }),
    finding({ muted: true, resource: { id: '00p3', name: 'Legacy Policy' } }),
    finding({ check: MFA, status: 'MANUAL', resource: { id: 'console', name: 'Console', data: null } }),
    finding({ check: MFA, status: 'FAIL', resource: { id: 'console-2', name: 'Second Console' } }),
    finding({ check: UPPERCASE, status: 'PASS', muted: true, resource: { id: 'pw', name: 'Passwords' } }),
  ];
}

/** Compliance results for every framework. Defaults to the STIG limits. */
export function compliance(
  findings: readonly Finding[] = variedFindings(),
  limits: Partial<Thresholds> = {},
): readonly ComplianceResult[] {
  const thresholds = { ...defaultConfig().thresholds, ...limits };
  return complianceResults(findings, ALL_FRAMEWORKS, thresholds, DIALECTS.directory);
}

/** Compliance results for one framework. */
export function resultIn(framework: Framework, ...options: Parameters<typeof compliance>): ComplianceResult {
  const found = compliance(...options).find((result) => result.framework === framework);
  if (found === undefined) throw new Error(`${framework.title} is not a known framework`);
  return found;
}

/** Resource names that could break a report. */
export const HOSTILE_NAMES = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title=\'owned\'">',
  "' onmouseover='document.title=1' x='",
  '</script></style></title><h1>owned</h1>',
  '&lt;b&gt; &amp; ]]> <![CDATA[ -->',
  '&nope; &#0; &#65; &#x41; & &&amp;;',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  '+1;-1;"quoted";\'single\'',
  '-2+3',
  '\t=1+1',
  '\r\n=1+1',
  'two\nlines\rand three',
  'one\rreturn',
  'nul\u0000 bell\u0007 escape\u001b[31mred\u001b[0m delete\u007f next line\u0085',
  'lone \ud800 surrogate, \ufffe and \uffff',
  'right to left \u202e override \u2066',
  'Grüße 漢字 🔐',
  'x'.repeat(10_000),
  '../../etc/passwd',
  '',
] as const;

export function hostileFindings(): readonly Finding[] {
  return HOSTILE_NAMES.map((name, at) =>
    finding({ resource: { id: `${at}-${name}`, name, data: { name } }, detail: `Saw ${name} there.` }),
  );
}
