import { useQuery } from '@tanstack/react-query';
import { SeverityBadge, StatusBadge } from '../../../components/badges.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { FINDING_STATUSES, type FindingSummary, SEVERITIES } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { filterQuery, withoutFilters } from '../api/filters.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import styles from './facets.module.css';
import type { FindingSearch } from './use-finding-search.ts';

const ALWAYS_SHOWN: readonly string[] = ['fatal', 'critical', 'high', 'medium', 'low', 'informational'];

/**
 * How many findings there are of each status and each severity; each is a filter. A group counts under all filters but
 * its own, so that what is not chosen can still be compared with what is.
 */
export function Facets({ search }: { readonly search: FindingSearch }) {
  const statuses = useFacet(search, 'status')?.by_status;
  const severities = useFacet(search, 'severity')?.by_severity;
  const { status = [], severity = [] } = search.filters;
  const toggle = (name: 'status' | 'severity', chosen: readonly string[], value: string) =>
    search.setFilters({
      [name]: chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value],
    });
  return (
    <div className={styles.facets}>
      <fieldset aria-label="Status" className={styles.group}>
        {FINDING_STATUSES.map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={status.includes(value)}
            className={styles.facet}
            onClick={() => toggle('status', status, value)}
          >
            <StatusBadge status={value} /> <Count of={statuses?.[value]} />
          </button>
        ))}
      </fieldset>
      <fieldset aria-label="Severity" className={styles.group}>
        {SEVERITIES.filter(
          (value) =>
            ALWAYS_SHOWN.includes(value) || severity.includes(value) || (severities?.[value].count ?? 0) > 0,
        ).map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={severity.includes(value)}
            className={styles.facet}
            onClick={() => toggle('severity', severity, value)}
          >
            <SeverityBadge severity={value} /> <Count of={severities?.[value].count} />
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function Count({ of }: { readonly of: number | undefined }) {
  return <span className={styles.count}>{of === undefined ? '…' : formatCount(of)}</span>;
}

/** The groups of the same filters share one request. */
function useFacet({ filters }: FindingSearch, name: 'status' | 'severity'): FindingSummary | undefined {
  return useQuery(summaryQuery(useApi(), filterQuery(withoutFilters(filters, name)))).data;
}
