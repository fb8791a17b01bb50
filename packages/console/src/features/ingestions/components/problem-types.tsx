import { capitalize } from '../../../lib/capitalize.ts';
import { formatCount } from '../../../lib/format-number.ts';
import type { ProblemType } from '../api/list-problems.ts';
import styles from './problem-types.module.css';

interface ProblemTypesProps {
  /** `undefined` while loading. */
  readonly counts: Readonly<Record<ProblemType, number | undefined>>;
  readonly selected: ProblemType;
  readonly onSelect: (type: ProblemType) => void;
}

/** Selects whether errors or warnings are listed. */
export function ProblemTypes({ counts, selected, onSelect }: ProblemTypesProps) {
  return (
    <fieldset aria-label="Problem type" className={styles.types}>
      {(['errors', 'warnings'] as const).map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={type === selected}
          className={styles.type}
          onClick={() => type !== selected && onSelect(type)}
        >
          {capitalize(type)} ({formatOptionalCount(counts[type])})
        </button>
      ))}
    </fieldset>
  );
}

function formatOptionalCount(count: number | undefined): string {
  return count === undefined ? '…' : formatCount(count);
}
