import { severityLabel } from '../../../components/badges.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { type Scan, SEVERITIES } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import styles from './scan-counts.module.css';

/** Counts of failing findings by severity, most severe first. Omits severities without findings. */
export function SeverityCounts({ counts }: { readonly counts: Scan['attributes']['failed_by_severity'] }) {
  const severities = SEVERITIES.filter((severity) => counts[severity] > 0);
  if (severities.length === 0) return <span className={styles.none}>None</span>;
  return (
    <ul className={styles.severities}>
      {severities.map((severity) => (
        <li key={severity} className={styles.count} title={severityLabel(severity)}>
          <span
            className={styles.letter}
            style={{ borderColor: `var(--severity-${severity})` }}
            aria-hidden="true"
          >
            {severityLabel(severity).charAt(0)}
          </span>
          {formatCount(counts[severity])}
          <VisuallyHidden> {severityLabel(severity)}</VisuallyHidden>
        </li>
      ))}
    </ul>
  );
}
