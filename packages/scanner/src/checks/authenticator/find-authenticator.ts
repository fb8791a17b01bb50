import type { Authenticator } from '../../directory/snapshot.ts';
import { type EvaluationContext, unreadVerdict, type Verdict } from '../check.ts';
import { unreadResource } from '../unread-resource.ts';

export interface WantedAuthenticator {
  /** Exactly as the API gives it: `smart_card_idp`. */
  readonly key: string;
  /** How sentences call it: `Smart Card IdP authenticator`. */
  readonly name: string;
}

/**
 * One verdict for the first authenticator with that key: FAIL where it is missing or its status is not `ACTIVE`,
 * otherwise what `evaluateActive` says of it.
 */
export function evaluateAuthenticator(
  { snapshot, dialect }: EvaluationContext<'authenticators'>,
  { key, name }: WantedAuthenticator,
  evaluateActive: (authenticator: Authenticator) => Pick<Verdict, 'status' | 'detail'>,
): readonly Verdict[] {
  const { authenticators } = snapshot;
  if (authenticators.kind === 'unread') {
    const resource = { ...unreadResource(key, authenticators.problem), name };
    return [unreadVerdict(authenticators.problem, resource, `The authenticators, and so the ${name},`)];
  }
  const found = authenticators.value.find((authenticator) => authenticator.key === key);
  if (found === undefined) {
    const detail = `The ${dialect.title} organization has no ${name}; it must have one that is active.`;
    return [{ status: 'FAIL', detail, resource: { id: `${key}-missing`, name, data: null } }];
  }
  const resource = { id: found.id, name: found.name, data: found };
  if (found.status?.toUpperCase() !== 'ACTIVE') {
    const detail = `The ${name} "${found.name}" has the status ${found.status || 'unset'}; it must be ACTIVE.`;
    return [{ status: 'FAIL', detail, resource }];
  }
  return [{ ...evaluateActive(found), resource }];
}
