import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: ButtonLook;
  readonly icon?: ReactNode;
}

/** The class of what looks like a button: also of a link. */
export function buttonClass(look: ButtonLook = 'plain'): string {
  return `${styles.button} ${styles[look]}`;
}

export function Button({ look, icon, children, className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={`${buttonClass(look)} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  );
}
