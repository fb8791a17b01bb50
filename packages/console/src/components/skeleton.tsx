import styles from './skeleton.module.css';

/** Takes the room of what is still on its way. */
export function Skeleton({ lines, label = 'Loading' }: { readonly lines: number; readonly label?: string }) {
  return (
    <div role="status" aria-label={label} className={styles.skeleton}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <div key={line} className={styles.line} />
      ))}
    </div>
  );
}
