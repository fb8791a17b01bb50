import { badRequest, notFound } from '../api-error.ts';
import type { Named, Policy } from '../organization/organization.ts';
import { translateName } from './dialect-names.ts';
import { type EndpointRequest, findById, list, single } from './endpoint.ts';
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
  list('/api/v1/policies', 'policies', policiesOfType, serializePolicy),
  single('/api/v1/policies/:id', 'policies', (request) => serializePolicy(requirePolicy(request), request)),
  list('/api/v1/policies/:id/rules', 'policies', rulesOfPolicy, undefined, { unpagedInOkta: true }),
];

function policiesOfType({ organization, query, dialect }: EndpointRequest): readonly Policy[] {
  const requested = query.get('type');
  if (requested === null) throw badRequest('type', 'The field cannot be left blank.');
  const type = TYPES.find((known) => translateName(known, dialect) === requested);
  if (type === undefined) throw badRequest('type', `'${requested}' is not a policy type.`);
  return organization.policies.filter((policy) => policy.type === type);
}

function requirePolicy(request: EndpointRequest): Policy {
  const policy = findById(request.organization.policies, request);
  if (policy === undefined) throw notFound(`${request.id} (Policy)`);
  return policy;
}

function rulesOfPolicy(request: EndpointRequest): readonly Named[] {
  const policy = requirePolicy(request);
  return request.dialect === 'okta' ? oktaRules(policy, request.url) : policy.rules;
}

function serializePolicy(source: Policy, { url, dialect }: EndpointRequest): object {
  if (dialect === 'okta') return oktaPolicy(source, url);
  const { rules, type, ...policy } = source;
  const self = `${url}/api/v1/policies/${policy.id}`;
  return {
    ...policy,
    type,
    _links: { self: { href: self }, rules: { href: `${self}/rules` } },
  };
}
