import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Uses the native tooltip, because a tooltip library would account for a fifth of the first page load. */
export function IconButton({ label, children, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`${buttonClass('quiet')} ${styles.icon} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
