import { statusLabel } from '../../../components/badges.tsx';
import { CircleCheck, CircleX, Eye } from '../../../components/icons/lucide-icons.ts';
import { StackedBar } from '../../../components/stacked-bar.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { FINDING_STATUSES, type Scan } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import styles from './scan-counts.module.css';
import { STATUS_COLORS } from './status-colors.ts';

const ICONS = { FAIL: CircleX, MANUAL: Eye, PASS: CircleCheck } as const;

/** Shows counts by status as a stacked bar. Icons ensure that color is not the only indicator. */
export function StatusCounts({ counts }: { readonly counts: Scan['attributes']['by_status'] }) {
  const parts = FINDING_STATUSES.map((status) => ({
    name: status,
    count: counts[status],
    color: STATUS_COLORS[status],
  }));
  return (
    <div className={styles.statuses}>
      <ul className={styles.counts}>
        {FINDING_STATUSES.map((status) => {
          const Icon = ICONS[status];
          return (
            <li key={status} className={styles.count} title={statusLabel(status)}>
              <Icon size={14} aria-hidden="true" color={STATUS_COLORS[status]} />
              {formatCount(counts[status])}
              <VisuallyHidden> {statusLabel(status)}</VisuallyHidden>
            </li>
          );
        })}
      </ul>
      <StackedBar parts={parts} />
    </div>
  );
}
