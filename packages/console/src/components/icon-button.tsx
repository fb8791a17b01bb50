import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does, for those who hear it and for those who point at it. */
  readonly label: string;
  readonly children: ReactNode;
}

/** The browser's own tooltip: one of a library would be a fifth of what the first page loads. */
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
