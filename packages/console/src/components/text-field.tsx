import { Field } from '@base-ui/react/field';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './text-field.module.css';

interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'value' | 'defaultValue' | 'onChange'> {
  readonly label: string;
  readonly value: string;
  readonly onValueChange: (value: string) => void;
  readonly hint?: ReactNode;
  /** The validation error. */
  readonly error?: string | undefined;
}

/** A text input with a label, a hint and an error. */
export function TextField({ label, value, onValueChange, hint, error, ...rest }: TextFieldProps) {
  return (
    <Field.Root className={styles.field} invalid={error !== undefined}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control
        className={styles.input}
        value={value}
        onValueChange={(next) => onValueChange(String(next))}
        {...rest}
      />
      {hint !== undefined && <Field.Description className={styles.hint}>{hint}</Field.Description>}
      {error !== undefined && (
        <Field.Error match className={styles.error}>
          {error}
        </Field.Error>
      )}
    </Field.Root>
  );
}
