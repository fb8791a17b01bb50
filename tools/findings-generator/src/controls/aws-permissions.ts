import type { NonEmpty } from '../random.ts';
import { role } from '../resource-types/aws.ts';
import { type Control, mapEach } from './control.ts';

const ACTIONS: NonEmpty<string> = [
  'iam:PassRole',
  'iam:CreateAccessKey',
  'iam:CreatePolicyVersion',
  'iam:SetDefaultPolicyVersion',
  'iam:AttachRolePolicy',
  'iam:AttachUserPolicy',
  'iam:PutRolePolicy',
  'iam:PutUserPolicy',
  'iam:UpdateAssumeRolePolicy',
  'iam:CreateLoginProfile',
  'iam:UpdateLoginProfile',
  'iam:AddUserToGroup',
  'sts:AssumeRole',
  'kms:Decrypt',
  'kms:ScheduleKeyDeletion',
  's3:DeleteBucket',
  's3:PutBucketPolicy',
  'secretsmanager:GetSecretValue',
  'ssm:SendCommand',
  'ec2:TerminateInstances',
  'ec2:ModifyInstanceAttribute',
  'lambda:UpdateFunctionCode',
  'lambda:AddPermission',
  'rds:DeleteDBInstance',
  'cloudtrail:StopLogging',
  'cloudtrail:DeleteTrail',
  'guardduty:DeleteDetector',
  'organizations:LeaveOrganization',
];

/** One control per sensitive IAM action. */
export const administrativeActions = mapEach(ACTIONS, actionControl);

function actionControl(action: string): Control {
  return {
    resource: role,
    service: 'iam',
    code: `role_no_unrestricted_${action.replace(':', '_').toLowerCase()}`,
    title: `IAM role does not allow ${action} on all resources`,
    desc: `Inline and attached policies of **IAM roles** are evaluated for statements that allow \`${action}\` with the resource \`*\` and without a condition.`,
    risk: 'Whoever controls the workload that assumes this role can **escalate privileges** or destroy data far beyond the needs of the workload.',
    remedy: `Limit \`${action}\` to the ARNs that the workload needs, or remove it (\`iam:PutRolePolicy\`).\n\nDerive the minimal policy from CloudTrail with **IAM Access Analyzer**.`,
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
            Resource: passed ? `arn:aws:${action.split(':')[0]}:*:${at.account.uid}:app/*` : '*',
          },
        },
      ],
    }),
  };
}
