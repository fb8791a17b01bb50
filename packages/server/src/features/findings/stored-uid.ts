import { TENANT } from '../../db/tenant-parameter.ts';
import { CHECK_ID_PLACEHOLDER } from '../../ingest/merge/uid-pattern.ts';

/** SQL for the placeholder of the check id. */
export const PLACEHOLDER_SQL = `chr(${CHECK_ID_PLACEHOLDER.charCodeAt(0)})`;

/** SQL for the check id of a row of `findings`. */
export const CHECK_ID_SQL = `(select checks.check_id from checks
  where checks.tenant_id = ${TENANT} and checks.key = findings.check_key)`;

/** SQL for the uid of a finding that does not store it. The placeholder stands for the check id in the pattern. */
export function patternUid(pattern: string, checkId: string): string {
  return `replace(${pattern}, ${PLACEHOLDER_SQL}, ${checkId})`;
}
