import { ipv4 } from '../random.ts';
import type { Placement, ResourceType } from './resource-type.ts';

/** Returns an Amazon Resource Name in the region and account of the resource. */
export function arn(service: string, at: Placement, path: string): string {
  return `arn:aws:${service}:${at.region}:${at.account.uid}:${path}`;
}

export const bucket: ResourceType = {
  type: 'AwsS3Bucket',
  noun: 'S3 bucket',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}`,
  uid: (at) => `arn:aws:s3:::${at.name}`,
  metadata: (at, tags, random) => ({
    arn: `arn:aws:s3:::${at.name}`,
    owner_id: random.hex(64),
    object_ownership: random.pick(['BucketOwnerEnforced', 'BucketOwnerPreferred']),
    request_payer: 'BucketOwner',
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

export const instance: ResourceType = {
  type: 'AwsEc2Instance',
  noun: 'EC2 instance',
  name: (_baseName, id) => `i-0${id}`,
  uid: (at) => arn('ec2', at, `instance/${at.name}`),
  metadata: (_at, tags, random) => ({
    image_id: `ami-0${random.hex(16)}`,
    type: random.pick(['t3.medium', 'm7g.large', 'c7i.2xlarge', 'r6g.xlarge']),
    private_ip: ipv4(10, random),
    subnet_id: `subnet-0${random.hex(16)}`,
    security_groups: Array.from({ length: 1 + random.below(2) }, () => `sg-0${random.hex(16)}`),
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

export const securityGroup: ResourceType = {
  type: 'AwsEc2SecurityGroup',
  noun: 'Security group',
  name: (_baseName, id) => `sg-0${id}`,
  uid: (at) => arn('ec2', at, `security-group/${at.name}`),
  metadata: (_at, _tags, random) => ({
    vpc_id: `vpc-0${random.hex(16)}`,
    network_interfaces: Array.from({ length: 1 + random.below(3) }, () => `eni-0${random.hex(16)}`),
    egress_rules: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, PrefixListId: `pl-${random.hex(8)}` }],
  }),
};

export const networkAcl: ResourceType = {
  type: 'AwsEc2NetworkAcl',
  noun: 'Network ACL',
  name: (_baseName, id) => `acl-0${id}`,
  uid: (at) => arn('ec2', at, `network-acl/${at.name}`),
  metadata: (_at, _tags, random) => ({
    vpc_id: `vpc-0${random.hex(16)}`,
    default: false,
    subnets: Array.from({ length: 1 + random.below(3) }, () => `subnet-0${random.hex(16)}`),
  }),
};

export const role: ResourceType = {
  type: 'AwsIamRole',
  region: 'us-east-1',
  noun: 'IAM role',
  name: (baseName, id) => `${baseName}-role-${id.slice(0, 8)}`,
  uid: (at) => `arn:aws:iam::${at.account.uid}:role/${at.name}`,
  metadata: (_at, _tags, random) => ({
    role_id: `AROA${random.hex(17).toUpperCase()}`,
    assume_role_policy: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}`,
    path: '/',
    max_session_seconds: random.pick([3600, 7200, 14_400]),
  }),
};

export const user: ResourceType = {
  type: 'AwsIamUser',
  region: 'us-east-1',
  noun: 'IAM user',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}`,
  uid: (at) => `arn:aws:iam::${at.account.uid}:user/${at.name}`,
  metadata: (_at, _tags, random) => ({
    user_id: `AIDA${random.hex(17).toUpperCase()}`,
    path: '/',
    groups: Array.from({ length: 1 + random.below(2) }, () => `group-${random.hex(8)}`),
  }),
};

export const database: ResourceType = {
  type: 'AwsRdsDbInstance',
  noun: 'RDS instance',
  name: (baseName, id) => `${baseName}-db-${id.slice(0, 8)}`,
  uid: (at) => arn('rds', at, `db:${at.name}`),
  metadata: (at, _tags, random) => ({
    endpoint: { address: `${at.name}.${random.hex(12)}.${at.region}.rds.amazonaws.com`, port: 5432 },
    resource_id: `db-${random.hex(26).toUpperCase()}`,
    engine: random.pick(['postgres', 'mysql', 'mariadb']),
    instance_class: random.pick(['db.t4g.medium', 'db.r7g.large', 'db.m7g.xlarge']),
  }),
};

export const volume: ResourceType = {
  type: 'AwsEc2Volume',
  noun: 'EBS volume',
  name: (_baseName, id) => `vol-0${id}`,
  uid: (at) => arn('ec2', at, `volume/${at.name}`),
  metadata: (at, _tags, random) => ({
    size_gib: random.pick([8, 50, 100, 500]),
    type: random.pick(['gp3', 'io2']),
    availability_zone: `${at.region}${random.pick(['a', 'b', 'c'])}`,
    attached_to: `i-0${random.hex(16)}`,
  }),
};

export const lambda: ResourceType = {
  type: 'AwsLambdaFunction',
  noun: 'Lambda function',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}`,
  uid: (at) => arn('lambda', at, `function:${at.name}`),
  metadata: (at, _tags, random) => ({
    code_sha256: random.hex(64),
    memory_mb: random.pick([128, 512, 1024]),
    timeout_seconds: random.pick([3, 30, 120]),
    execution_role: `arn:aws:iam::${at.account.uid}:role/lambda-${random.hex(8)}`,
  }),
};
