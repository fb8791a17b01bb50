import type { Queryable } from '../../db/transaction.ts';
import type { StoredScopes } from '../merge/coverage-scopes.ts';
import type { JobProblem } from './finish-frame.ts';

const CODE = 'coverage_not_applied';
const PRODUCT = '(metadata.product.name)';

/** The warning of a job that does not resolve findings, or not in all accounts, although its upload declares a coverage. */
export function coverageWarning(reason: string, where = ''): JobProblem {
  return {
    code: CODE,
    byteOffset: 0,
    recordIndex: null,
    pointer: '',
    findingUid: null,
    detail: `No findings were resolved${where}: ${reason}.`,
  };
}

/** The warning of a job with accounts whose findings are not resolved, because none of their records names its product. */
export function productWarning({ withProduct, withoutProduct }: StoredScopes): JobProblem | undefined {
  if (withProduct === 0) return coverageWarning(`no record names its product ${PRODUCT}`);
  if (withoutProduct === 0) return undefined;
  const [accounts, their] = withoutProduct === 1 ? ['account', 'its'] : ['accounts', 'their'];
  return coverageWarning(
    `none of ${their} records names its product ${PRODUCT}`,
    ` in ${withoutProduct.toLocaleString('en')} ${accounts}`,
  );
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
