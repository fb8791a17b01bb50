import type { ReactNode } from 'react';
import { CircleExclamationPoint, Info, TriangleExclamationPoint } from './icons/lucide-icons.ts';
import styles from './notice.module.css';

const ICONS = { info: Info, warning: TriangleExclamationPoint, danger: CircleExclamationPoint } as const;

interface NoticeProps {
  readonly variant?: keyof typeof ICONS;
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Announces the notice to screen readers when it appears. */
  readonly live?: boolean;
}

export function Notice({ variant = 'info', title, children, actions, live = false }: NoticeProps) {
  const Icon = ICONS[variant];
  const role = live ? (variant === 'danger' ? 'alert' : 'status') : undefined;
  return (
    <div className={`${styles.notice} ${styles[variant]}`} role={role}>
      <Icon size={18} aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions}
    </div>
  );
}
