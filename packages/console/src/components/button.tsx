import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly icon?: ReactNode;
}

/** The class name of a button, also used for links that are styled as buttons. */
export function buttonClass(variant: ButtonVariant = 'plain'): string {
  return `${styles.button} ${styles[variant]}`;
}

export function Button({ variant, icon, children, className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={`${buttonClass(variant)} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  );
}
