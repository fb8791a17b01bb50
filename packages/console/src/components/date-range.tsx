import { useEffect, useState } from 'react';
import styles from './date-range.module.css';

/** Ignores years that are still being typed, such as `0002` when the user is typing `2026`. */
const COMPLETE_YEAR = /^[1-9]\d{3}-/;

interface DateRangeProps {
  /** For example, `Uploaded`. */
  readonly label: string;
  /** Dates in UTC, such as `2026-01-31`, both inclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Called with an empty string when the date is cleared. */
  readonly onFrom: (day: string) => void;
  readonly onTo: (day: string) => void;
}

/** Two date inputs for the first and the last day of a range. */
export function DateRange({ label, from = '', to = '', onFrom, onTo }: DateRangeProps) {
  return (
    <fieldset className={styles.range}>
      <legend className={styles.legend}>{label}</legend>
      <Day name="From" label={`${label} from`} value={from} onDay={onFrom} />
      <Day name="Until" label={`${label} until`} value={to} onDay={onTo} />
    </fieldset>
  );
}

interface DayProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onDay: (day: string) => void;
}

function Day({ name, label, value, onDay }: DayProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label className={styles.day}>
      <span aria-hidden="true">{name}</span>
      <input
        type="date"
        className={styles.input}
        aria-label={`${label} (UTC)`}
        max="9999-12-31"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' || COMPLETE_YEAR.test(target.value)) onDay(target.value);
        }}
      />
    </label>
  );
}
