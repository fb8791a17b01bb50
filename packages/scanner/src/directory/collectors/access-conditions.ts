import { z } from 'zod';
import type { AccessCondition } from '../snapshot.ts';
import { flag, network, part, text, texts } from './fields.ts';

const members = part({ include: texts, exclude: texts });
const platforms = z.array(part({ type: text, os: part({ type: text }) })).catch([]);

const CONDITIONS: readonly AccessCondition[] = [
  'groups',
  'users',
  'user types',
  'network zones',
  'devices',
  'platforms',
  'risk',
  'an expression',
];

/** The conditions of an access policy rule. */
export const accessConditions = part({
  network,
  people: part({ groups: members, users: members }),
  userType: members,
  device: part({ managed: flag, registered: flag, assurance: part({ include: texts }) }),
  platform: part({ include: platforms, exclude: platforms }),
  riskScore: part({ level: text }),
  elCondition: part({ condition: text }),
});

/** The conditions that a user or sign-in must meet for a rule to apply. */
export function activeConditions(conditions: z.output<typeof accessConditions>): AccessCondition[] {
  const { network, people, userType, device, platform, riskScore, elCondition } = conditions;
  const restricts: Readonly<Record<AccessCondition, boolean>> = {
    groups: names(people.groups),
    users: names(people.users),
    'user types': names(userType),
    'network zones': names(network),
    devices: device.managed === true || device.registered === true || device.assurance.include.length > 0,
    platforms: platform.exclude.length > 0 || (platform.include.length > 0 && !platform.include.some(isAny)),
    risk: riskScore.level !== null && riskScore.level.toUpperCase() !== 'ANY',
    'an expression': Boolean(elCondition.condition),
  };
  return CONDITIONS.filter((condition) => restricts[condition]);
}

function names({
  include,
  exclude,
}: {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}) {
  return include.length + exclude.length > 0;
}

function isAny({ type, os }: z.output<typeof platforms>[number]): boolean {
  return type?.toUpperCase() === 'ANY' && (os.type === null || os.type.toUpperCase() === 'ANY');
}
