import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';

/** How long it says that it has copied, in milliseconds. */
const SAID_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as in `Copy the key`. */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  const copy = async () => {
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(copied ? 'copied' : 'refused');
    setTimeout(() => setOutcome(undefined), SAID_MS);
  };
  const said = { copied: 'Copied', refused: 'The browser does not allow it: select and copy' };
  return (
    <Button
      icon={outcome === 'copied' ? <Check size={16} /> : <Copy size={16} />}
      onClick={() => void copy()}
      aria-live="polite"
    >
      {outcome === undefined ? label : said[outcome]}
    </Button>
  );
}
