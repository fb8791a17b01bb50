import type { ApiDependencies } from '../http/endpoints/dependencies.ts';
import type { Endpoint } from '../http/endpoints/endpoint.ts';
import { apiKeyEndpoints } from './api-keys/endpoints.ts';
import { auditEventEndpoints } from './audit-events/endpoints.ts';
import { checkEndpoints } from './checks/endpoints.ts';
import { findingTrendEndpoints } from './finding-trends/endpoints.ts';
import { findingEndpoints } from './findings/endpoints.ts';
import { dryRunEndpoints } from './ingestions/dry-run-endpoint.ts';
import { ingestionEndpoints } from './ingestions/endpoints.ts';
import { ingestionFileEndpoints } from './ingestions/file-endpoints.ts';
import { ingestionProblemEndpoints } from './ingestions/problem-endpoints.ts';
import { ingestionRecordEndpoints } from './ingestions/record-endpoints.ts';
import { ingestionRetryEndpoints } from './ingestions/retry-endpoint.ts';
import { limitEndpoints } from './limits/endpoints.ts';
import { providerEndpoints } from './providers/endpoints.ts';
import { resourceEndpoints } from './resources/endpoints.ts';
import { roleEndpoints } from './roles/endpoints.ts';
import { scanEndpoints } from './scans/endpoints.ts';
import { subscriptionEndpoints } from './subscription/endpoints.ts';
import { userEndpoints } from './users/endpoints.ts';
import { webhookDeliveryEndpoints } from './webhooks/delivery-endpoints.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';

const FEATURES = [
  ingestionEndpoints,
  ingestionRetryEndpoints,
  ingestionProblemEndpoints,
  dryRunEndpoints,
  ingestionRecordEndpoints,
  ingestionFileEndpoints,
  findingEndpoints,
  findingTrendEndpoints,
  scanEndpoints,
  providerEndpoints,
  resourceEndpoints,
  checkEndpoints,
  apiKeyEndpoints,
  userEndpoints,
  roleEndpoints,
  webhookEndpoints,
  webhookDeliveryEndpoints,
  subscriptionEndpoints,
  auditEventEndpoints,
  limitEndpoints,
];

/** All API operations, in the order of the OpenAPI description. */
export function allEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  return FEATURES.flatMap((endpointsOf) => endpointsOf(dependencies));
}
