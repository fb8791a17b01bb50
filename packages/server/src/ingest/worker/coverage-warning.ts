import type { Queryable } from '../../db/transaction.ts';
import type { JobProblem } from './finish-frame.ts';

const CODE = 'coverage_not_applied';

/** The reason why the coverage of an upload without products is not applied. */
export const NO_PRODUCT = 'no record names its product (metadata.product.name)';

/** The warning of a job that does not resolve findings although its upload declares a coverage. */
export function coverageWarning(reason: string): JobProblem {
  return {
    code: CODE,
    byteOffset: 0,
    recordIndex: null,
    pointer: '',
    findingUid: null,
    detail: `No findings were resolved: ${reason}.`,
  };
}

/** Removes the warning from an earlier end of the job, which was then retried. */
export async function removeCoverageWarning(client: Queryable, ids: readonly string[]): Promise<void> {
  const { rowCount } = await client.query(
    `delete from ingestion_warning_counts where tenant_id = $1 and ingestion_id = $2 and code = '${CODE}'`,
    [...ids],
  );
  if (rowCount === 0) return;
  await client.query(
    `with removed as (
       delete from ingestion_warnings where tenant_id = $1 and ingestion_id = $2 and code = '${CODE}' returning code
     )
     update ingestions set warnings = warnings - 1, warnings_kept = warnings_kept - (select count(*) from removed)
     where tenant_id = $1 and id = $2`,
    [...ids],
  );
}
