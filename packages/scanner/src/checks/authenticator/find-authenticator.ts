import type { Authenticator } from '../../directory/snapshot.ts';
import { type EvaluationContext, unreadResource, unreadVerdict, type Verdict } from '../check.ts';

export interface WantedAuthenticator {
  /** The key as returned by the API, such as `smart_card_idp`. */
  readonly key: string;
  /** Name in messages, such as `Smart Card IdP authenticator`. */
  readonly name: string;
}

/**
 * Evaluates the first authenticator with this key. The result is FAIL if there is none or its status is not `ACTIVE`,
 * and otherwise the result of `evaluateActive`.
 */
export function evaluateAuthenticator(
  { snapshot, dialect }: EvaluationContext<'authenticators'>,
  { key, name }: WantedAuthenticator,
  evaluateActive: (authenticator: Authenticator) => Pick<Verdict, 'status' | 'detail'>,
): readonly Verdict[] {
  const { authenticators } = snapshot;
  if (authenticators.kind === 'unread') {
    const resource = { ...unreadResource(key, authenticators.problem), name };
    return [unreadVerdict(authenticators.problem, resource, `The authenticators, including the ${name},`)];
  }
  const found = authenticators.value.find((authenticator) => authenticator.key === key);
  if (found === undefined) {
    const detail = `The ${dialect.title} organization has no ${name}. An active authenticator is required.`;
    return [{ status: 'FAIL', detail, resource: { id: `${key}-missing`, name, data: null } }];
  }
  const resource = { id: found.id, name: found.name, data: found };
  if (found.status?.toUpperCase() !== 'ACTIVE') {
    const detail = `The ${name} "${found.name}" ${found.status ? `has status ${found.status}` : 'has no status'}. It must be ACTIVE.`;
    return [{ status: 'FAIL', detail, resource }];
  }
  return [{ ...evaluateActive(found), resource }];
}
