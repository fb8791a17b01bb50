import { useId } from 'react';
import styles from './text-field.module.css';

interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onValueChange: (value: Value) => void;
  readonly hint?: string;
  /** The validation error. */
  readonly error?: string | undefined;
}

/** A native select with a label, a hint and an error. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, options, value, onValueChange, hint, error } = props;
  const id = useId();
  const description = error ?? hint;
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
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onChange={({ target }) => {
          const selected = options.find((option) => option.value === target.value);
          if (selected !== undefined) onValueChange(selected.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {description !== undefined && (
        <span id={`${id}-description`} className={error === undefined ? styles.hint : styles.error}>
          {description}
        </span>
      )}
    </div>
  );
}
