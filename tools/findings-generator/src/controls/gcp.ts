import type { NonEmpty } from '../random.ts';
import { bucket, firewallRule, instance, serviceAccount } from '../resource-types/gcp.ts';
import { type Catalog, type Control, interleave, mapEach } from './control.ts';
import { forEachPort, furtherPort, INTERNET, type IpVersion, type Port } from './ports.ts';

/** Controls for individual resources. Their titles and descriptions are not copied from any scanner. */
const RESOURCE_CONTROLS: NonEmpty<Control> = [
  {
    resource: bucket,
    service: 'cloudstorage',
    code: 'bucket_no_public_access',
    title: 'Storage bucket is not publicly accessible',
    desc: 'IAM policies of **Storage buckets** are evaluated for grants to `allUsers` and `allAuthenticatedUsers`.',
    risk: 'Anyone on the internet can **list and download** the objects of a public bucket. `allAuthenticatedUsers` includes every Google account.',
    remedy:
      'Remove the public members from the IAM policy, and enforce `constraints/storage.publicAccessPrevention` for the organization.\n\nServe public content through **Cloud CDN**.',
    pass: 'is not publicly accessible.',
    fail: 'is publicly accessible.',
    permission: 'storage.buckets.getIamPolicy',
    severity: 5,
    category: 'internet-exposed',
    evidence: (passed, at) => ({
      iam: {
        role: 'roles/storage.objectViewer',
        members: [passed ? `serviceAccount:reader@${at.account.uid}.iam.gserviceaccount.com` : 'allUsers'],
      },
    }),
  },
  {
    resource: bucket,
    service: 'cloudstorage',
    code: 'bucket_uniform_access',
    title: 'Storage bucket has uniform bucket-level access enabled',
    desc: '**Storage buckets** are evaluated for *uniform bucket-level access*, which disables ACLs of single objects.',
    risk: 'Object ACLs are not visible in IAM. A single object can remain **public or shared** although the bucket policy looks correct.',
    remedy:
      'Grant the required access with IAM, then enable uniform bucket-level access.\n\nEnforce it with the organization policy `constraints/storage.uniformBucketLevelAccess`.',
    pass: 'has uniform bucket-level access enabled.',
    fail: 'does not have uniform bucket-level access enabled.',
    permission: 'storage.buckets.get',
    severity: 3,
    category: 'identity-access',
    evidence: (passed) => ({ uniform_bucket_level_access: passed }),
  },
  {
    resource: bucket,
    service: 'cloudstorage',
    code: 'bucket_cmek',
    title: 'Storage bucket is encrypted with a customer-managed key',
    desc: '**Storage buckets** are evaluated for a default *Cloud KMS* key (CMEK). Buckets with Google-managed keys fail.',
    risk: 'Without a customer-managed key, you cannot disable access to the data independently of **IAM permissions**.',
    remedy:
      'Create a key with a rotation period in Cloud KMS, and set it as the default key of the bucket.\n\nRewrite existing objects so that they **use the key**.',
    pass: 'is encrypted with a customer-managed key.',
    fail: 'is not encrypted with a customer-managed key.',
    permission: 'storage.buckets.get',
    severity: 3,
    category: 'encryption',
    evidence: (passed, at, random) => ({
      default_kms_key: passed
        ? `projects/${at.account.uid}/locations/${at.region}/keyRings/data/cryptoKeys/${random.hex(16)}`
        : null,
    }),
  },
  {
    resource: bucket,
    service: 'cloudstorage',
    code: 'bucket_retention_policy',
    title: 'Storage bucket with logs has a locked retention policy',
    desc: '**Storage buckets** that receive log sinks are evaluated for a locked retention policy (*Bucket Lock*).',
    risk: 'Without a locked policy, an attacker who gains access to the bucket can **delete the evidence** of an incident.',
    remedy:
      'Set a retention period of at least 365 days, and lock the policy.\n\nMove log sinks to a **separate project** with few administrators.',
    pass: 'has a locked retention policy.',
    fail: 'does not have a locked retention policy.',
    permission: 'storage.buckets.get',
    severity: 3,
    category: 'logging',
    evidence: (passed) => ({
      retention_policy: { seconds: passed ? 31_536_000 : 86_400, is_locked: passed },
    }),
  },
  {
    resource: instance,
    service: 'compute',
    code: 'instance_no_external_ip',
    title: 'VM instance has no external IP address',
    desc: 'Network interfaces of **VM instances** are evaluated for an access configuration with an external IP address.',
    risk: 'VM instances with external addresses are **exposed to the internet** as soon as a firewall rule allows it, often by mistake.',
    remedy:
      'Remove the access configuration, and use **Cloud NAT** for outbound traffic.\n\nConnect through Identity-Aware Proxy TCP forwarding.',
    pass: 'has no external IP address.',
    fail: 'has an external IP address.',
    permission: 'compute.instances.get',
    severity: 4,
    category: 'internet-exposed',
    evidence: (passed, _at, random) => ({ nat_ip: passed ? null : `203.0.113.${random.below(256)}` }),
  },
  {
    resource: instance,
    service: 'compute',
    code: 'instance_shielded_vm',
    title: 'VM instance has Shielded VM enabled',
    desc: '**VM instances** are evaluated for vTPM and *integrity monitoring*.',
    risk: 'Without Shielded VM, tampering with the boot loader or the kernel **goes unnoticed** and persists across restarts.',
    remedy:
      'Stop the instance, enable vTPM and integrity monitoring, and start it again.\n\nEnforce `constraints/compute.requireShieldedVm` for **new instances**.',
    pass: 'has Shielded VM enabled.',
    fail: 'does not have Shielded VM enabled.',
    permission: 'compute.instances.get',
    severity: 3,
    category: 'vulnerabilities',
    evidence: (passed) => ({ shielded_config: { vtpm: passed, integrity_monitoring: passed } }),
  },
  {
    resource: instance,
    service: 'compute',
    code: 'instance_os_login',
    title: 'VM instance has OS Login enabled',
    desc: 'Metadata of **VM instances** and projects is evaluated for `enable-oslogin`.',
    risk: 'SSH keys in metadata are not bound to an identity. They stay valid after an employee leaves, and **nobody notices their use**.',
    remedy:
      'Set `enable-oslogin` to `TRUE` for the project, and grant `roles/compute.osLogin` to the users.\n\nRequire **two-factor authentication** for OS Login.',
    pass: 'has OS Login enabled.',
    fail: 'does not have OS Login enabled.',
    permission: 'compute.instances.get',
    severity: 3,
    category: 'identity-access',
    evidence: (passed) => ({ items: { 'enable-oslogin': passed ? 'TRUE' : 'FALSE' } }),
  },
  {
    resource: instance,
    service: 'compute',
    code: 'instance_serial_ports_disabled',
    title: 'VM instance has serial port access disabled',
    desc: 'Metadata of **VM instances** is evaluated for `serial-port-enable`, which opens an interactive console.',
    risk: 'The serial console cannot be limited to IP ranges. A leaked key gives **interactive access** from any network.',
    remedy:
      'Set `serial-port-enable` to `FALSE`, and enforce `constraints/compute.disableSerialPortAccess`.\n\nUse serial port **output logging** for diagnostics.',
    pass: 'has serial port access disabled.',
    fail: 'has serial port access enabled.',
    permission: 'compute.instances.get',
    severity: 3,
    category: 'internet-exposed',
    evidence: (passed) => ({ items: { 'serial-port-enable': passed ? 'FALSE' : 'TRUE' } }),
  },
  {
    resource: serviceAccount,
    service: 'iam',
    code: 'sa_no_user_managed_keys',
    title: 'Service account has no user-managed keys',
    desc: 'Keys of **service accounts** are evaluated for their type. Keys that Google manages pass.',
    risk: 'User-managed keys never expire by default. A key in a repository or on a laptop grants **access from anywhere**.',
    remedy:
      'Use workload identity federation or an attached service account, then delete the key.\n\nEnforce `constraints/iam.disableServiceAccountKeyCreation`.',
    pass: 'has no user-managed keys.',
    fail: 'has user-managed keys.',
    permission: 'iam.serviceAccountKeys.list',
    severity: 4,
    category: 'secrets',
    evidence: (passed, _at, random) => ({
      keys: [{ name: random.hex(40), type: passed ? 'SYSTEM_MANAGED' : 'USER_MANAGED' }],
    }),
  },
];

const SENSITIVE_ROLES: NonEmpty<string> = [
  'owner',
  'editor',
  'iam.securityAdmin',
  'iam.serviceAccountAdmin',
  'iam.serviceAccountKeyAdmin',
  'iam.serviceAccountTokenCreator',
  'iam.serviceAccountUser',
  'iam.roleAdmin',
  'resourcemanager.organizationAdmin',
  'resourcemanager.projectIamAdmin',
  'orgpolicy.policyAdmin',
  'storage.admin',
  'compute.admin',
  'compute.securityAdmin',
  'container.admin',
  'cloudfunctions.admin',
  'run.admin',
  'cloudsql.admin',
  'bigquery.admin',
  'cloudkms.admin',
  'secretmanager.admin',
  'logging.admin',
  'deploymentmanager.editor',
  'cloudbuild.builds.editor',
];

export const gcpCatalog: Catalog = {
  controls: interleave(
    RESOURCE_CONTROLS,
    forEachPort(firewallControl, 4),
    mapEach(SENSITIVE_ROLES, roleControl),
    forEachPort(firewallControl, 6),
  ),
  further(number) {
    const { port, ipVersion } = furtherPort(number);
    return { ...firewallControl(port, ipVersion), severity: 2 };
  },
};

function firewallControl(port: Port, ipVersion: IpVersion): Control {
  const source = INTERNET[ipVersion];
  return {
    resource: firewallRule,
    service: 'compute',
    code: `firewall_ipv${ipVersion}_ingress_${port.code}`,
    title: `Firewall rule does not allow ${port.text} from ${source}`,
    desc: `**VPC firewall rules** are evaluated for ingress that allows ${port.text} from \`${source}\`. Disabled rules pass.`,
    risk: 'Exposed ports are discovered within minutes and attacked with **brute force** and known exploits. A compromised VM can call APIs with its service account.',
    remedy:
      'Limit the source ranges of the rule, or delete it.\n\nUse **Identity-Aware Proxy** (`35.235.240.0/20`) for administrative access.',
    pass: `does not allow ${port.text} from ${source}.`,
    fail: `allows ${port.text} from ${source}.`,
    permission: 'compute.firewalls.list',
    severity: 4,
    category: 'internet-exposed',
    evidence: (passed) => ({
      source_ranges: [passed ? (ipVersion === 4 ? '10.0.0.0/8' : 'fd00::/8') : source],
      allowed: [{ IPProtocol: port.protocol, ports: [String(port.number)] }],
    }),
  };
}

function roleControl(role: string): Control {
  return {
    resource: serviceAccount,
    service: 'iam',
    code: `sa_no_role_${role.replaceAll('.', '_').toLowerCase()}`,
    title: `Service account does not have the role roles/${role} in the project`,
    desc: `IAM policies of the project are evaluated for a grant of \`roles/${role}\` to **service accounts**, without a condition.`,
    risk: 'A workload with this role can change the project far beyond its needs. Its **credentials are a target** for privilege escalation.',
    remedy:
      'Replace the role with predefined roles for single resources, or with a custom role.\n\nReview unused permissions with the **IAM recommender**.',
    pass: `does not have the role roles/${role}.`,
    fail: `has the role roles/${role}.`,
    permission: 'resourcemanager.projects.getIamPolicy',
    severity: 4,
    category: 'identity-access',
    evidence: (passed) => ({ project_roles: [passed ? 'roles/logging.logWriter' : `roles/${role}`] }),
  };
}
