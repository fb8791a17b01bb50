import { apiKeyEndpoints } from '../features/api-keys/endpoints.ts';
import { auditEventEndpoints } from '../features/audit-events/endpoints.ts';
import { checkEndpoints } from '../features/checks/endpoints.ts';
import { findingTrendEndpoints } from '../features/finding-trends/endpoints.ts';
import { findingEndpoints } from '../features/findings/endpoints.ts';
import { ingestionFileEndpoints } from '../features/ingestion-files/endpoints.ts';
import { ingestionProblemEndpoints } from '../features/ingestion-problems/endpoints.ts';
import { ingestionRecordEndpoints } from '../features/ingestion-records/endpoints.ts';
import { ingestionEndpoints } from '../features/ingestions/endpoints.ts';
import { limitEndpoints } from '../features/limits/endpoints.ts';
import { providerEndpoints } from '../features/providers/endpoints.ts';
import { roleEndpoints } from '../features/roles/endpoints.ts';
import { scanEndpoints } from '../features/scans/endpoints.ts';
import { subscriptionEndpoints } from '../features/subscription/endpoints.ts';
import { userEndpoints } from '../features/users/endpoints.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Endpoint } from './endpoint.ts';

const FEATURES = [
  ingestionEndpoints,
  ingestionProblemEndpoints,
  ingestionRecordEndpoints,
  ingestionFileEndpoints,
  findingEndpoints,
  findingTrendEndpoints,
  scanEndpoints,
  providerEndpoints,
  checkEndpoints,
  apiKeyEndpoints,
  userEndpoints,
  roleEndpoints,
  subscriptionEndpoints,
  auditEventEndpoints,
  limitEndpoints,
];

/** All API operations, in the order of the OpenAPI description. */
export function allEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  return FEATURES.flatMap((endpointsOf) => endpointsOf(dependencies));
}
