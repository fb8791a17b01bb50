import type { Policy } from '../organization/organization.ts';
import { badRequest, notFound } from './api-error.ts';
import { inDialect } from './dialect-words.ts';
import { list, named, type Reading, single } from './endpoint.ts';

const TYPES = [
  'ACCESS_POLICY',
  'DIRECTORY_SIGN_ON',
  'IDP_DISCOVERY',
  'MFA_ENROLL',
  'PASSWORD',
  'PROFILE_ENROLLMENT',
  'USER_LIFECYCLE',
];

export const policyEndpoints = [
  list('/api/v1/policies', 'policies', policiesOfType, showPolicy),
  single('/api/v1/policies/:id', 'policies', (reading) => showPolicy(thePolicy(reading), reading)),
  list('/api/v1/policies/:id/rules', 'policies', (reading) => thePolicy(reading).rules),
];

function policiesOfType({ organization, query, dialect }: Reading): readonly Policy[] {
  const wanted = query.get('type');
  if (wanted === null) throw badRequest('type', 'The field cannot be left blank.');
  const type = TYPES.find((known) => inDialect(known, dialect) === wanted);
  if (type === undefined) throw badRequest('type', `'${wanted}' is not a type of policy.`);
  return organization.policies.filter((policy) => policy.type === type);
}

function thePolicy(reading: Reading): Policy {
  const policy = named(reading.organization.policies, reading);
  if (policy === undefined) throw notFound(`${reading.id} (Policy)`);
  return policy;
}

function showPolicy({ rules, type, ...policy }: Policy, { url, dialect }: Reading): object {
  const self = `${url}/api/v1/policies/${policy.id}`;
  return {
    ...policy,
    type: inDialect(type, dialect),
    _links: { self: { href: self }, rules: { href: `${self}/rules` } },
  };
}
