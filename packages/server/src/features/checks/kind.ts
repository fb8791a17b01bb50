import { READS_FINDINGS } from '../../access/rules.ts';
import type { ResourceKind } from '../../api/resource-kind.ts';
import { parseCheckKey } from './check-key.ts';
import { type CheckRow, findChecksByIds } from './repository.ts';
import { checkResource, checks } from './resource.ts';

/** Checks, for keys that may read findings. */
export const checkKind: ResourceKind<CheckRow> = {
  resource: checks,
  access: READS_FINDINGS,
  isId: (text) => parseCheckKey(text) !== undefined,
  findByIds: findChecksByIds,
  toResource: checkResource,
  missing: 'There is no check with this id',
};
