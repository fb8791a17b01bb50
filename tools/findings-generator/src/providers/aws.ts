import { ipv4 } from '../random.ts';
import type { Placement, Provider, ResourceType } from './provider.ts';

function arn(service: string, at: Placement, path: string): string {
  return `arn:aws:${service}:${at.region}:${at.account.uid}:${path}`;
}

const bucket: ResourceType = {
  type: 'AwsS3Bucket',
  noun: 'S3 bucket',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}`,
  uid: (at) => `arn:aws:s3:::${at.name}`,
  metadata: (at, _tags, random) => ({
    owner_id: random.hex(64),
    kms_key_id: random.chance(0.6) ? random.uuid() : null,
    policy: random.chance(0.5)
      ? { Effect: 'Allow', Principal: `arn:aws:iam::${at.account.uid}:role/r-${random.hex(12)}` }
      : null,
  }),
};

const instance: ResourceType = {
  type: 'AwsEc2Instance',
  noun: 'EC2 instance',
  name: (_words, id) => `i-0${id}`,
  uid: (at) => arn('ec2', at, `instance/${at.name}`),
  metadata: (_at, tags, random) => ({
    image_id: `ami-0${random.hex(16)}`,
    type: random.pick(['t3.medium', 'm7g.large', 'c7i.2xlarge', 'r6g.xlarge']),
    private_ip: ipv4(10, random),
    public_ip: random.chance(0.2) ? ipv4(198, random) : null,
    security_groups: Array.from({ length: 1 + random.below(2) }, () => `sg-0${random.hex(16)}`),
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

const role: ResourceType = {
  type: 'AwsIamRole',
  noun: 'IAM role',
  name: (baseName, id) => `${baseName}-role-${id.slice(0, 8)}`,
  uid: (at) => `arn:aws:iam::${at.account.uid}:role/${at.name}`,
  metadata: (_at, _tags, random) => ({
    role_id: `AROA${random.hex(17).toUpperCase()}`,
    assume_role_policy: `{"Sid":"${random.hex(24)}","Effect":"Allow","Action":"sts:AssumeRole"}`,
    attached_policies: Array.from({ length: random.below(3) }, () => ({ name: `policy-${random.hex(12)}` })),
    last_used_days: random.chance(0.3) ? null : random.below(500),
  }),
};

const database: ResourceType = {
  type: 'AwsRdsDbInstance',
  noun: 'RDS instance',
  name: (baseName, id) => `${baseName}-db-${id.slice(0, 8)}`,
  uid: (at) => arn('rds', at, `db:${at.name}`),
  metadata: (at, _tags, random) => ({
    endpoint: { address: `${at.name}.${random.hex(16)}.rds.amazonaws.com`, port: 5432 + random.below(9) },
    resource_id: `db-${random.hex(26).toUpperCase()}`,
    kms_key_id: random.chance(0.6) ? arn('kms', at, `key/${random.uuid()}`) : null,
    backup_retention_days: random.below(36),
  }),
};

/** AWS accounts without an organization. As with real accounts, some IDs begin with 0. */
export const aws: Provider = {
  accountType: 'AWS Account',
  accountTypeId: 10,
  partition: 'aws',
  regions: ['us-east-1', 'eu-west-1', 'eu-central-1', 'ap-southeast-2', 'us-west-2'],
  resourceTypes: [bucket, instance, role, database],
  account(ordinal) {
    // The step and 10^12 are coprime, so ordinals never collide.
    const uid = String((482_913_570_264 + ordinal * 590_147_286_397) % 1_000_000_000_000).padStart(12, '0');
    return { uid, name: '', providerUid: uid, tenantUid: '', org: { name: '', uid: '' } };
  },
};
