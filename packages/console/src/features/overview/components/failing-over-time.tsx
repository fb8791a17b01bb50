import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useId } from 'react';
import { severityLabel } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Scrollable } from '../../../components/scrollable.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { SEVERITIES } from '../../../lib/api/types.ts';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import { formatUtcDay } from '../../../lib/format-time.ts';
import { type TrendDay, trendQuery } from '../api/get-trend.ts';
import styles from './failing-over-time.module.css';

// Loads the chart library separately, because the page does not need it to render.
const FailingChart = lazy(() => import('./failing-chart.tsx'));

/** The minimum number of days in the chart, even if there is less data. */
const MIN_DAYS = 14;

/** Failing findings over time by severity, as a chart, a sentence and a table. */
export function FailingOverTime() {
  const { data, error, refetch } = useQuery(trendQuery(useApi()));
  const summaryId = useId();
  const days = data === undefined ? undefined : trimToFirstAccount(data);
  return (
    <Card title="Failing findings over time">
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      <figure className={styles.figure} aria-labelledby={summaryId}>
        <div className={styles.chartArea}>
          {days !== undefined && (
            <Suspense>
              <FailingChart days={days} />
            </Suspense>
          )}
        </div>
        <figcaption id={summaryId} className={styles.summary}>
          {days === undefined ? 'Loading…' : describeTrend(days)}
        </figcaption>
      </figure>
      <details className={styles.details}>
        <summary>View as table</summary>
        {days !== undefined && <DaysTable days={days} />}
      </details>
    </Card>
  );
}

/** Drops the days before the first account, except for the day immediately before it. */
function trimToFirstAccount(days: readonly TrendDay[]): readonly TrendDay[] {
  const first = days.findIndex(({ providers }) => providers > 0);
  const shown = first === -1 ? MIN_DAYS : Math.max(days.length - first + 1, MIN_DAYS);
  return days.slice(-shown);
}

function describeTrend(days: readonly TrendDay[]): string {
  const [first, last] = [days.find(({ providers }) => providers > 0), days.at(-1)];
  if (first === undefined || last === undefined) return 'No scans in the last 90 days.';
  const difference = last.failed - first.failed;
  const change =
    difference === 0
      ? 'the same as'
      : `${formatCount(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than`;
  return `${pluralize(last.failed, 'failing finding')} in ${pluralize(last.providers, 'account')}, ${change} on ${formatUtcDay(first.date)}. Counts at the end of each day in UTC.`;
}

function DaysTable({ days }: { readonly days: readonly TrendDay[] }) {
  const shown = SEVERITIES.filter((name) => days.some((day) => (day.failed_by_severity[name] ?? 0) > 0));
  return (
    <Scrollable label="Failing findings by day" className={styles.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Failing</th>
            {shown.map((name) => (
              <th key={name} scope="col">
                {severityLabel(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date}>
              <th scope="row">{formatUtcDay(day.date)}</th>
              <td>{formatCount(day.failed)}</td>
              {shown.map((name) => (
                <td key={name}>{formatCount(day.failed_by_severity[name] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
