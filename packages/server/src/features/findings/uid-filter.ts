import { hasKeyIn } from '../../db/opaque-condition.ts';
import type { Condition } from '../../jsonapi/filters.ts';
import { CHECK_ID_SQL, PLACEHOLDER_SQL, patternUid } from './stored-uid.ts';

/**
 * Findings with these uids. A finding either stores its uid, or its uid is the pattern of its resource with the id of
 * its check inserted. The resources that can have such findings are determined once per statement: for each check id
 * that the uid contains, those with a pattern that the uid has without it.
 */
export function hasFindingUid(uids: readonly string[]): Condition {
  return {
    sql: (bind, tenant) => {
      const requested = `${bind(uids)}::text[]`;
      const patterns = `select overlay(requested.uid placing ${PLACEHOLDER_SQL} from start for length(checks.check_id))
        from unnest(${requested}) as requested (uid)
        join checks on checks.tenant_id = ${tenant} and position(checks.check_id in requested.uid) > 0
        cross join lateral generate_series(1, length(requested.uid)) as start
        where substr(requested.uid, start, length(checks.check_id)) = checks.check_id`;
      const resources = `select resources.key from resources
        where resources.tenant_id = ${tenant} and ${hasKeyIn('resources.uid_pattern', patterns)}`;
      const pattern = `(select resources.uid_pattern from resources
        where resources.tenant_id = ${tenant} and resources.key = findings.resource_key)`;
      return `(findings.uid = any(${requested})
        or findings.uid is null and findings.resource_key = any(array(${resources}))
          and ${patternUid(pattern, CHECK_ID_SQL)} = any(${requested}))`;
    },
    previousSql: (bind) => `findings.uid = any(${bind(uids)}::text[])`,
  };
}
