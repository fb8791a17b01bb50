import { read } from '../../../src/directory/read-result.ts';
import type { LifecyclePolicy, LifecycleRule } from '../../../src/directory/snapshot.ts';

/** An automation that suspends users after 35 days. */
export function lifecyclePolicy(fields: Partial<LifecyclePolicy> = {}): LifecyclePolicy {
  return {
    id: 'pol-1',
    name: 'Inactive users',
    priority: 1,
    status: 'ACTIVE',
    system: false,
    inactivityDays: 35,
    groups: ['group-1'],
    rules: read([lifecycleRule()]),
    ...fields,
  };
}

export function lifecycleRule(fields: Partial<LifecycleRule> = {}): LifecycleRule {
  return {
    id: 'rule-1',
    name: 'Suspend',
    priority: 1,
    status: 'ACTIVE',
    system: false,
    targetStatus: 'SUSPENDED',
    ...fields,
  };
}
