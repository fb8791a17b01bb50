import { Tooltip } from '@base-ui/react/tooltip';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does, for those who hear it and for those who point at it. */
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, children, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        aria-label={label}
        className={`${buttonClass('quiet')} ${styles.icon} ${className}`}
        {...rest}
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className={styles.positioner}>
          <Tooltip.Popup className={styles.tooltip}>{label}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
