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
 * Finding counts by status and severity, which also act as filters. Each group ignores its own filter, so that the
 * counts of unselected values remain comparable.
 */
export function Facets({ search }: { readonly search: FindingSearch }) {
  const statuses = useFacet(search, 'status')?.by_status;
  const severities = useFacet(search, 'severity')?.by_severity;
  const { status = [], severity = [] } = search.filters;
  const toggle = (name: 'status' | 'severity', selected: readonly string[], value: string) =>
    search.setFilters({
      [name]: selected.includes(value) ? selected.filter((each) => each !== value) : [...selected, value],
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
            <StatusBadge status={value} /> <Count value={statuses?.[value]} />
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
            <SeverityBadge severity={value} /> <Count value={severities?.[value].count} />
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function Count({ value }: { readonly value: number | undefined }) {
  return <span className={styles.count}>{value === undefined ? '…' : formatCount(value)}</span>;
}

/** Facets with the same remaining filters share one request. */
function useFacet({ filters }: FindingSearch, name: 'status' | 'severity'): FindingSummary | undefined {
  return useQuery(summaryQuery(useApi(), filterQuery(withoutFilters(filters, name)))).data;
}
