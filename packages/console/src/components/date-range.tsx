import { useEffect, useState } from 'react';
import styles from './date-range.module.css';

/** A year that is still being written, `0002` of `2026`, is no wish yet. */
const WHOLE_YEAR = /^[1-9]\d{3}-/;

interface DateRangeProps {
  /** What the days are of, as in `Came in`. */
  readonly label: string;
  /** Days in UTC, `2026-01-31`, both included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** An empty text stands for no day. */
  readonly onFrom: (day: string) => void;
  readonly onTo: (day: string) => void;
}

/** Two days between which something was. */
export function DateRange({ label, from = '', to = '', onFrom, onTo }: DateRangeProps) {
  return (
    <fieldset className={styles.range}>
      <legend className={styles.legend}>{label}</legend>
      <Day name="from" label={label} value={from} onDay={onFrom} />
      <Day name="to" label={label} value={to} onDay={onTo} />
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
        aria-label={`${label}, ${name} (UTC)`}
        max="9999-12-31"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' || WHOLE_YEAR.test(target.value)) onDay(target.value);
        }}
      />
    </label>
  );
}
