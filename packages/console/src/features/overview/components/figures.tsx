import { Link } from '@tanstack/react-router';
import type { FindingSummary } from '../../../lib/api/types.ts';
import { formatCount, formatShare } from '../../../lib/format-number.ts';
import styles from './figures.module.css';

interface Figure {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  readonly search: Readonly<Record<string, string>>;
}

const HIGH_SEVERITIES = ['fatal', 'critical', 'high'] as const;
/** The labels are fixed, so that the layout does not shift while the counts load. */
const LABELS = ['Failing findings', 'Critical and high', 'New', 'Changed'] as const;

/** The key figures of the overview, each with a link to its findings. */
export function Figures({ summary }: { readonly summary: FindingSummary | undefined }) {
  const figures = summary && buildFigures(summary);
  return (
    <ul className={styles.figures}>
      {LABELS.map((label, index) => {
        const figure = figures?.[index];
        return (
          <li key={label} className={styles.figure}>
            {figure === undefined ? (
              <span className={styles.label}>{label}</span>
            ) : (
              <Link to="/findings" search={figure.search} className={styles.label}>
                {label}
              </Link>
            )}
            <span className={styles.value}>{figure === undefined ? '–' : formatCount(figure.value)}</span>
            <span className={styles.note}>{figure?.note ?? 'Loading…'}</span>
          </li>
        );
      })}
    </ul>
  );
}

function buildFigures(summary: FindingSummary): readonly Figure[] {
  const severe = HIGH_SEVERITIES.reduce((sum, name) => sum + (summary.by_severity[name]?.failed ?? 0), 0);
  const { new: added = 0, changed = 0 } = summary.by_delta;
  const share = summary.count === 0 ? 0 : summary.failed / summary.count;
  const failing = { status: 'FAIL', muted: 'false' };
  const [failingLabel, severeLabel, newLabel, changedLabel] = LABELS;
  return [
    {
      label: failingLabel,
      value: summary.failed,
      note: `${formatShare(share)} of ${formatCount(summary.count)} findings`,
      search: failing,
    },
    {
      label: severeLabel,
      value: severe,
      note: 'Includes fatal, excludes muted',
      search: { ...failing, severity: HIGH_SEVERITIES.join(',') },
    },
    {
      label: newLabel,
      value: added,
      note: 'First seen in the latest scan',
      search: { delta: 'new' },
    },
    {
      label: changedLabel,
      value: changed,
      note: 'Status changed since the previous scan',
      search: { delta: 'changed' },
    },
  ];
}
