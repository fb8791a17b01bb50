import styles from './code-sample.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeSampleProps {
  readonly code: string;
  /** The label of the button, such as `Copy command`. */
  readonly copyLabel: string;
}

/** A command or value with a copy button. */
export function CodeSample({ code, copyLabel }: CodeSampleProps) {
  return (
    <div className={styles.sample}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1) */}
      <pre className={styles.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={copyLabel} />
    </div>
  );
}
