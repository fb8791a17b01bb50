import { READ_FINDINGS } from '../../auth/access-rule.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { parseCheckKey } from '../../ingest/merge/check-key.ts';
import { type CheckRow, findChecksByIds } from './repository.ts';
import { checkResource, checks } from './resource.ts';

/** Checks. Requires `read_findings`. */
export const checkResourceType: ResourceType<CheckRow> = {
  resource: checks,
  access: READ_FINDINGS,
  isId: (text) => parseCheckKey(text) !== undefined,
  findByIds: findChecksByIds,
  toResource: checkResource,
  notFoundDetail: 'No check has this ID.',
};
