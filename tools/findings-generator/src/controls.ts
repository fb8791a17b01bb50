import type { NonEmpty } from './random.ts';

/** What a check looks for. Checks are controls, each in several scopes. */
export interface Control {
  service: string;
  code: string;
  title: string;
  desc: string;
  risk: string;
  remedy: string;
  pass: string;
  fail: string;
  /** Severity by number: 1 informational to 5 critical. */
  severity: number;
  category: string;
}

/** Controls of data, network and access. All texts are made up for this generator. */
export const CONTROLS: NonEmpty<Control> = [
  {
    service: 'encryption',
    code: 'own_key',
    title: 'Data at rest is encrypted with an own key',
    desc: 'Reads the **encryption settings** and the key they name; a key of the provider does not count.',
    risk: 'A copy of the storage can be read in clear, and nobody here can withdraw access to it.',
    remedy: 'Create a key per workload and set it on the resource.\n\nRotate it once a year.',
    pass: 'is encrypted with an own key.',
    fail: 'is not encrypted with an own key.',
    severity: 4,
    category: 'encryption',
  },
  {
    service: 'encryption',
    code: 'tls',
    title: 'Connections need TLS 1.2 or newer',
    desc: 'Passes when plain connections are refused and `TLS 1.2` is the oldest version on offer.',
    risk: 'Whoever sits between client and resource can read and change what is sent.',
    remedy: 'Refuse plain connections and set the oldest version to `TLS 1.2`.',
    pass: 'needs TLS 1.2 or newer.',
    fail: 'accepts connections older than TLS 1.2.',
    severity: 3,
    category: 'encryption',
  },
  {
    service: 'logging',
    code: 'access_log',
    title: 'Access is logged and kept for a year',
    desc: 'Looks for an **access log** outside the reach of its users, kept for 365 days.',
    risk: 'After a break-in nobody can say what was read, by whom and since when.',
    remedy:
      'Turn on the access log and send it to the log account:\n- retention: 365 days\n- alert when it stops',
    pass: 'keeps its access log for a year.',
    fail: 'does not keep an access log for a year.',
    severity: 3,
    category: 'logging',
  },
  {
    service: 'logging',
    code: 'change_alert',
    title: 'Changes of the settings raise an alert',
    desc: 'Looks for a rule on the *audit trail* that matches changes and has a confirmed receiver.',
    risk: 'A protection that is turned off stays off until the next review.',
    remedy: 'Add a rule for update and delete events and send it to the team on duty.',
    pass: 'has an alert on changes.',
    fail: 'has no alert on changes.',
    severity: 2,
    category: 'logging',
  },
  {
    service: 'network',
    code: 'not_public',
    title: 'Nothing on the internet can reach it',
    desc: 'Combines addresses, routes and rules; no path may lead in from `0.0.0.0/0` or `::/0`.',
    risk: 'Scanners find what listens within minutes, and may try passwords for ever.',
    remedy: 'Remove the public address or put a gateway that authenticates in front.',
    pass: 'cannot be reached from the internet.',
    fail: 'can be reached from 0.0.0.0/0.',
    severity: 5,
    category: 'internet-exposed',
  },
  {
    service: 'network',
    code: 'egress',
    title: 'Outgoing connections are limited',
    desc: 'Reads the **outgoing rules**; one that allows every destination on every port fails.',
    risk: 'Malware that has got in fetches its tools and sends data out over any port.',
    remedy: 'Allow the destinations seen in the flow log and deny the rest.',
    pass: 'limits its outgoing connections.',
    fail: 'may connect to any destination.',
    severity: 3,
    category: 'trust-boundaries',
  },
  {
    service: 'access',
    code: 'least_privilege',
    title: 'No identity has rights it does not use',
    desc: 'Compares rights granted with rights used in 90 days; over a tenth unused fails.',
    risk: 'Rights that nobody needs come for free with every stolen credential.',
    remedy: 'Replace wildcards by the actions in the log, e.g. `"Action": ["read", "list"]`.',
    pass: 'has no identity with unused rights.',
    fail: 'has identities with unused rights.',
    severity: 4,
    category: 'identity-access',
  },
  {
    service: 'access',
    code: 'admin_mfa',
    title: 'Administrators need a second factor',
    desc: 'Follows every path to **administrative rights**; each has to ask for a second factor.',
    risk: 'A password alone is lost to the first convincing mail.',
    remedy: 'Ask for a passkey on every administrative role.',
    pass: 'asks administrators for a second factor.',
    fail: 'has administrators without a second factor.',
    severity: 5,
    category: 'identity-access',
  },
];
