import { useEffect, useRef, useState } from 'react';
import { Search } from './icons/lucide-icons.ts';
import styles from './search-field.module.css';

/** How long to wait after the last keystroke, in milliseconds. */
const DEBOUNCE_MS = 300;

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called when the user stops typing or presses Enter. */
  readonly onSearch: (text: string) => void;
}

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The value also changes when the user goes back or removes a filter.
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (next: string, delayMs: number) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(next.trim()), delayMs);
  };
  return (
    <search className={styles.field}>
      <Search size={16} aria-hidden="true" className={styles.icon} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => search(target.value, DEBOUNCE_MS)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') search(text, 0);
        }}
        className={styles.input}
      />
    </search>
  );
}
