import type { NonEmpty } from './random.ts';

/** A security requirement. Each control makes one check per scope. */
export interface Control {
  service: string;
  code: string;
  title: string;
  desc: string;
  risk: string;
  remedy: string;
  pass: string;
  fail: string;
  /** OCSF `severity_id`, from 1 (informational) to 5 (critical). */
  severity: number;
  category: string;
}

/** Controls for data, networks, and access. The texts are not copied from any scanner. */
export const CONTROLS: NonEmpty<Control> = [
  {
    service: 'encryption',
    code: 'customer_key',
    title: 'Data is encrypted with a customer-managed key',
    desc: '**Encryption at rest** is evaluated for a customer-managed key. Provider-managed keys do not pass.',
    risk: 'Without control of the key, you cannot revoke access to **copied or stolen data**.',
    remedy: 'Create a customer-managed key for each workload.\n\nEnable **annual rotation**.',
    pass: 'is encrypted with a customer-managed key.',
    fail: 'is not encrypted with a customer-managed key.',
    severity: 4,
    category: 'encryption',
  },
  {
    service: 'encryption',
    code: 'tls',
    title: 'Access requires TLS 1.2 or later',
    desc: 'Endpoints are evaluated for a minimum version of `TLS 1.2` and for plaintext listeners.',
    risk: 'Traffic can be **intercepted or modified** between client and server.',
    remedy: 'Disable plaintext listeners and set the minimum version to `TLS 1.2`.',
    pass: 'requires TLS 1.2 or later.',
    fail: 'accepts TLS versions older than 1.2.',
    severity: 3,
    category: 'encryption',
  },
  {
    service: 'logging',
    code: 'access_log',
    title: 'Access logs are enabled and retained for 365 days',
    desc: '**Access logging** is evaluated for delivery to a separate account and 365-day retention.',
    risk: 'Missing logs delay detection and hide the scope of a **data breach**.',
    remedy:
      'Enable access logging to the central log account:\n- Retention: 365 days\n- Alert on delivery failures',
    pass: 'has access logs retained for 365 days.',
    fail: 'does not have access logs retained for 365 days.',
    severity: 3,
    category: 'logging',
  },
  {
    service: 'logging',
    code: 'change_alert',
    title: 'Configuration changes trigger an alert',
    desc: '*Audit trail* rules are evaluated for configuration changes and a confirmed subscription.',
    risk: 'Unauthorized changes can disable security controls **without detection**.',
    remedy: 'Create an alert for update and delete events and route it to the on-call team.',
    pass: 'has an alert for configuration changes.',
    fail: 'has no alert for configuration changes.',
    severity: 2,
    category: 'logging',
  },
  {
    service: 'network',
    code: 'not_public',
    title: 'Public network access is blocked',
    desc: 'Addresses, routes, and policies are evaluated for access from `0.0.0.0/0` or `::/0`.',
    risk: 'Exposed endpoints are found quickly and attacked with **brute force** and known exploits.',
    remedy: 'Remove public access or require an authenticating gateway in front of the resource.',
    pass: 'is not publicly accessible.',
    fail: 'is publicly accessible from 0.0.0.0/0.',
    severity: 5,
    category: 'internet-exposed',
  },
  {
    service: 'network',
    code: 'egress',
    title: 'Outbound network access is restricted',
    desc: '**Egress rules** are evaluated for unrestricted destinations and ports.',
    risk: 'Compromised workloads can download malware and **exfiltrate data** over any port.',
    remedy: 'Allow only the destinations that appear in flow logs, and deny all other traffic.',
    pass: 'restricts outbound traffic.',
    fail: 'allows outbound traffic to any destination.',
    severity: 3,
    category: 'trust-boundaries',
  },
  {
    service: 'access',
    code: 'least_privilege',
    title: 'Permissions unused for 90 days are removed',
    desc: 'Granted permissions are compared with usage in 90 days. More than 10% unused fails.',
    risk: 'Excess permissions increase the impact of **compromised credentials**.',
    remedy: 'Replace wildcards with the actions in use, for example `"Action": ["read", "list"]`.',
    pass: 'grants no unused permissions.',
    fail: 'grants permissions unused for 90 days.',
    severity: 4,
    category: 'identity-access',
  },
  {
    service: 'access',
    code: 'admin_mfa',
    title: 'Administrator access requires MFA',
    desc: '**Administrative roles** are evaluated for a second authentication factor.',
    risk: 'A phished or reused password is enough for a **full account takeover**.',
    remedy: 'Require a phishing-resistant factor for every administrative role.',
    pass: 'requires MFA for administrator access.',
    fail: 'allows administrator access without MFA.',
    severity: 5,
    category: 'identity-access',
  },
];
