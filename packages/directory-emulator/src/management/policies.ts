import type { Named, Policy } from '../organization/organization.ts';
import { badRequest, notFound } from './api-error.ts';
import { inDialect } from './dialect-words.ts';
import { list, named, type Reading, single } from './endpoint.ts';
import { oktaPolicy, oktaRules } from './okta/okta-policies.ts';

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
  list('/api/v1/policies/:id/rules', 'policies', rulesOfPolicy, undefined, { unpagedInOkta: true }),
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

function rulesOfPolicy(reading: Reading): readonly Named[] {
  const policy = thePolicy(reading);
  return reading.dialect === 'okta' ? oktaRules(policy, reading.url) : policy.rules;
}

function showPolicy(shown: Policy, { url, dialect }: Reading): object {
  if (dialect === 'okta') return oktaPolicy(shown, url);
  const { rules, type, ...policy } = shown;
  const self = `${url}/api/v1/policies/${policy.id}`;
  return {
    ...policy,
    type,
    _links: { self: { href: self }, rules: { href: `${self}/rules` } },
  };
}
