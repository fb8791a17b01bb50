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
/** Some rows of skeletons would jump; so many figures there always are. */
const LABELS = ['Failing findings', 'Of these critical or high', 'New', 'Changed'] as const;

/** The numbers to begin the day with; each leads to its findings. */
export function Figures({ summary }: { readonly summary: FindingSummary | undefined }) {
  const figures = summary && buildFigures(summary);
  return (
    <ul className={styles.figures}>
      {LABELS.map((label, at) => {
        const figure = figures?.[at];
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
            <span className={styles.note}>{figure?.note ?? 'Counting'}</span>
          </li>
        );
      })}
    </ul>
  );
}

function buildFigures(summary: FindingSummary): readonly Figure[] {
  const grave = HIGH_SEVERITIES.reduce((sum, name) => sum + (summary.by_severity[name]?.failed ?? 0), 0);
  const { new: added = 0, changed = 0 } = summary.by_delta;
  const share = summary.count === 0 ? 0 : summary.failed / summary.count;
  const failing = { status: 'FAIL', muted: 'false' };
  const [total, ofThese, news, changes] = LABELS;
  return [
    {
      label: total,
      value: summary.failed,
      note: `${formatShare(share)} of ${formatCount(summary.count)} findings`,
      search: failing,
    },
    {
      label: ofThese,
      value: grave,
      note: 'Fatal, critical and high; not muted',
      search: { ...failing, severity: HIGH_SEVERITIES.join(',') },
    },
    {
      label: news,
      value: added,
      note: 'First seen in the last upload of their account',
      search: { delta: 'new' },
    },
    {
      label: changes,
      value: changed,
      note: 'Other status than in the upload before',
      search: { delta: 'changed' },
    },
  ];
}
