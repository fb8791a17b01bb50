import styles from './code-sample.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeSampleProps {
  readonly code: string;
  /** What the button does, as in `Copy the command`. */
  readonly copyLabel: string;
}

/** Something to paste into a terminal. */
export function CodeSample({ code, copyLabel }: CodeSampleProps) {
  return (
    <div className={styles.sample}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be moved sideways has to be so by keyboard (WCAG 2.1.1) */}
      <pre className={styles.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={copyLabel} />
    </div>
  );
}
