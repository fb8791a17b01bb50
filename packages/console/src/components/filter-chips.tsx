import { Button } from './button.tsx';
import styles from './filter-chips.module.css';
import { X } from './icons/lucide-icons.ts';

export interface FilterChip {
  readonly key: string;
  /** The name of the filter, such as `Account`. */
  readonly label: string;
  readonly value: string;
  readonly onRemove: () => void;
}

interface FilterChipsProps {
  readonly chips: readonly FilterChip[];
  readonly onClear: () => void;
}

/** The active filters, each with a remove button. Renders nothing if there are none. */
export function FilterChips({ chips, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ key, label, value, onRemove }) => (
        <li key={key} className={styles.chip}>
          <span className={styles.text} title={value}>
            <span className={styles.label}>{label}:</span> {value}
          </span>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove filter ${label}: ${value}`}
            onClick={onRemove}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
      <li>
        <Button variant="quiet" onClick={onClear}>
          Clear all filters
        </Button>
      </li>
    </ul>
  );
}
