import { useId } from 'react';
import styles from './text-field.module.css';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onValueChange: (value: Value) => void;
  readonly hint?: string;
  /** What is wrong with it. */
  readonly error?: string | undefined;
}

/** One of several, by the browser's own list. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, options, value, onValueChange, hint, error } = props;
  const id = useId();
  const words = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select
        id={id}
        className={styles.input}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={words === undefined ? undefined : `${id}-words`}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onValueChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {words !== undefined && (
        <span id={`${id}-words`} className={error === undefined ? styles.hint : styles.error}>
          {words}
        </span>
      )}
    </div>
  );
}
