import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';

export function subscriptionEndpoints(_dependencies: ApiDependencies): readonly Endpoint[] {
  return [];
}
