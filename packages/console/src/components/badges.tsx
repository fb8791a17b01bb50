import type { ReactNode } from 'react';
import type { Delta, FindingState, FindingStatus, IngestionStatus, Severity } from '../lib/api/types.ts';
import { capitalize } from '../lib/capitalize.ts';
import styles from './badges.module.css';
import {
  Check,
  CircleCheck,
  CircleExclamationPoint,
  CircleX,
  Clock,
  Eye,
  Info,
  LoaderCircle,
  VolumeX,
} from './icons/lucide-icons.ts';

/** The display name of a severity. */
export function severityLabel(severity: Severity): string {
  return capitalize(severity);
}

export function SeverityBadge({ severity }: { readonly severity: Severity }) {
  return (
    <span className={styles.badge}>
      <span className={styles.severity} data-severity={severity} aria-hidden="true" />
      {severityLabel(severity)}
    </span>
  );
}

interface BadgeContent {
  readonly label: string;
  readonly variant: string;
  readonly icon: ReactNode;
}

/** Returns the content of a badge. A newer server may send a status that this version does not know. */
function contentOf(known: Readonly<Record<string, BadgeContent>>, status: string): BadgeContent {
  return known[status] ?? { label: status, variant: 'dim', icon: <Info size={15} aria-hidden="true" /> };
}

const STATUSES: Readonly<Record<FindingStatus, BadgeContent>> = {
  FAIL: { label: 'Fail', variant: 'danger', icon: <CircleX size={15} aria-hidden="true" /> },
  PASS: { label: 'Pass', variant: 'good', icon: <CircleCheck size={15} aria-hidden="true" /> },
  MANUAL: { label: 'Manual', variant: 'warning', icon: <Eye size={15} aria-hidden="true" /> },
};

/** The display name of a finding status. */
export function statusLabel(status: FindingStatus): string {
  return contentOf(STATUSES, status).label;
}

export function StatusBadge({
  status,
  muted = false,
}: {
  readonly status: FindingStatus;
  readonly muted?: boolean;
}) {
  const { label, variant, icon } = contentOf(STATUSES, status);
  return (
    <span className={styles.badge}>
      <span className={`${styles.icon} ${styles[variant]}`}>{icon}</span>
      {label}
      {muted && (
        <span className={styles.tag}>
          <VolumeX size={12} aria-hidden="true" /> Muted
        </span>
      )}
    </span>
  );
}

/** Whether a finding is resolved. Renders nothing for open findings. */
export function StateBadge({ state }: { readonly state: FindingState }) {
  return state === 'open' ? null : (
    <span className={styles.tag}>
      <Check size={12} aria-hidden="true" /> {capitalize(state)}
    </span>
  );
}

/** How a finding changed since the previous scan. Renders nothing for unchanged findings. */
export function DeltaBadge({ delta }: { readonly delta: Delta }) {
  return delta === 'unchanged' ? null : <span className={styles.tag}>{capitalize(delta)}</span>;
}

const JOBS: Readonly<Record<IngestionStatus, BadgeContent>> = {
  pending: { label: 'Pending', variant: 'dim', icon: <Clock size={15} aria-hidden="true" /> },
  processing: {
    label: 'Processing',
    variant: 'accent',
    icon: <LoaderCircle size={15} aria-hidden="true" className={styles.spinning} />,
  },
  completed: { label: 'Completed', variant: 'good', icon: <CircleCheck size={15} aria-hidden="true" /> },
  failed: {
    label: 'With errors',
    variant: 'danger',
    icon: <CircleExclamationPoint size={15} aria-hidden="true" />,
  },
};

export function JobStatusBadge({
  status,
  dryRun = false,
}: {
  readonly status: IngestionStatus;
  readonly dryRun?: boolean;
}) {
  const { label, variant, icon } = contentOf(JOBS, status);
  return (
    <span className={styles.badge}>
      <span className={`${styles.icon} ${styles[variant]}`}>{icon}</span>
      {label}
      {dryRun && <span className={styles.tag}>Dry run</span>}
    </span>
  );
}
