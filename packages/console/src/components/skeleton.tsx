import styles from './skeleton.module.css';

/** A placeholder for content that is loading. */
export function Skeleton({ lines, label = 'Loading…' }: { readonly lines: number; readonly label?: string }) {
  return (
    <div role="status" aria-label={label} className={styles.skeleton}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <div key={line} className={styles.line} />
      ))}
    </div>
  );
}
