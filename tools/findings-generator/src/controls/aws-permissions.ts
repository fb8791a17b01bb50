import type { NonEmpty } from '../random.ts';
import { arn, role } from '../resource-types/aws.ts';
import type { Placement } from '../resource-types/resource-type.ts';
import { type Control, mapEach } from './control.ts';

/** The actions that an attacker who controls the role can perform. */
const IMPACTS = {
  escalate: 'grant themselves further permissions, up to those of an **administrator**',
  read: 'read **secrets and data** of other workloads',
  execute: 'run code with the permissions of **other workloads**',
  destroy: 'destroy data and resources, which causes **downtime and data loss**',
  hide: 'disable monitoring and **act undetected**',
} as const;

const ACTIONS: NonEmpty<readonly [string, keyof typeof IMPACTS]> = [
  ['iam:PassRole', 'escalate'],
  ['iam:CreateAccessKey', 'escalate'],
  ['iam:CreatePolicyVersion', 'escalate'],
  ['iam:SetDefaultPolicyVersion', 'escalate'],
  ['iam:AttachRolePolicy', 'escalate'],
  ['iam:AttachUserPolicy', 'escalate'],
  ['iam:PutRolePolicy', 'escalate'],
  ['iam:PutUserPolicy', 'escalate'],
  ['iam:UpdateAssumeRolePolicy', 'escalate'],
  ['iam:CreateLoginProfile', 'escalate'],
  ['iam:UpdateLoginProfile', 'escalate'],
  ['iam:AddUserToGroup', 'escalate'],
  ['sts:AssumeRole', 'escalate'],
  ['kms:Decrypt', 'read'],
  ['kms:ScheduleKeyDeletion', 'destroy'],
  ['s3:DeleteBucket', 'destroy'],
  ['s3:PutBucketPolicy', 'read'],
  ['secretsmanager:GetSecretValue', 'read'],
  ['ssm:SendCommand', 'execute'],
  ['ec2:TerminateInstances', 'destroy'],
  ['ec2:ModifyInstanceAttribute', 'execute'],
  ['lambda:UpdateFunctionCode', 'execute'],
  ['lambda:AddPermission', 'execute'],
  ['rds:DeleteDBInstance', 'destroy'],
  ['cloudtrail:StopLogging', 'hide'],
  ['cloudtrail:DeleteTrail', 'hide'],
  ['guardduty:DeleteDetector', 'hide'],
  ['organizations:LeaveOrganization', 'hide'],
];

/** One control per sensitive IAM action. */
export const PERMISSION_CONTROLS = mapEach(ACTIONS, actionControl);

function actionControl([action, impact]: readonly [string, keyof typeof IMPACTS]): Control {
  return {
    resource: role,
    service: 'iam',
    code: `role_no_unrestricted_${action.replace(':', '_').toLowerCase()}`,
    title: `IAM role does not allow ${action} on all resources`,
    desc: `Inline and attached policies of **IAM roles** are evaluated for statements that allow \`${action}\` with the resource \`*\` and without a condition.`,
    risk: `An attacker who controls a workload with this role can ${IMPACTS[impact]}.`,
    remedy: `Limit \`${action}\` to the ARNs that the workload needs, or remove it (\`iam:PutRolePolicy\`, \`iam:CreatePolicyVersion\`).\n\nUse **IAM Access Analyzer** to generate a least-privilege policy from CloudTrail activity.`,
    pass: `does not allow ${action} on all resources.`,
    fail: `allows ${action} on all resources.`,
    permission: 'iam:GetRolePolicy',
    severity: 4,
    category: 'identity-access',
    evidence: (passed, at, random) => ({
      inline_policies: [
        {
          name: `policy-${random.hex(8)}`,
          statement: {
            Effect: 'Allow',
            Action: action,
            Resource: passed ? allowedResource(action, at) : '*',
          },
        },
      ],
    }),
  };
}

/** Returns an ARN pattern for the action's service. IAM and S3 ARNs have no region, and S3 ARNs have no account. */
function allowedResource(action: string, at: Placement): string {
  const [service = ''] = action.split(':');
  if (service === 's3') return 'arn:aws:s3:::app-*';
  if (service === 'iam' || service === 'sts') return `arn:aws:iam::${at.account.uid}:role/app-*`;
  return arn(service, at, 'app-*');
}
