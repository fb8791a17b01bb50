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

// The library that draws is not needed to show the page.
const FailingChart = lazy(() => import('./failing-chart.tsx'));

/** Days that are shown at least, also where there is data of fewer. */
const MIN_DAYS = 14;

/** How many findings have failed over time, by severity: as a chart, in a sentence, and as a table. */
export function FailingOverTime() {
  const { data, error, refetch } = useQuery(trendQuery(useApi()));
  const summaryId = useId();
  const days = data === undefined ? undefined : trimToFirstScan(data);
  return (
    <Card title="Failing findings over time">
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      <figure className={styles.figure} aria-labelledby={summaryId}>
        <div className={styles.room}>
          {days !== undefined && (
            <Suspense>
              <FailingChart days={days} />
            </Suspense>
          )}
        </div>
        <figcaption id={summaryId} className={styles.summary}>
          {days === undefined ? 'Counting the days' : describeTrend(days)}
        </figcaption>
      </figure>
      <details className={styles.details}>
        <summary>The same as a table</summary>
        {days !== undefined && <DaysTable days={days} />}
      </details>
    </Card>
  );
}

/** From the day before the first scan on. */
function trimToFirstScan(days: readonly TrendDay[]): readonly TrendDay[] {
  const first = days.findIndex(({ providers }) => providers > 0);
  const shown = first === -1 ? MIN_DAYS : Math.max(days.length - first + 1, MIN_DAYS);
  return days.slice(-shown);
}

function describeTrend(days: readonly TrendDay[]): string {
  const [first, last] = [days.find(({ providers }) => providers > 0), days.at(-1)];
  if (first === undefined || last === undefined) return 'No scan in the last 90 days.';
  const difference = last.failed - first.failed;
  const change =
    difference === 0
      ? 'as many as'
      : `${formatCount(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than`;
  return `${pluralize(last.failed, 'finding')} of ${pluralize(last.providers, 'account')} failing now, ${change} on ${formatUtcDay(first.date)}. Days in UTC, by the last scan of each account.`;
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
