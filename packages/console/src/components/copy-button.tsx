import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { Check, Copy } from './icons/lucide-icons.ts';

/** How long it says that it has copied, in milliseconds. */
const FEEDBACK_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as in `Copy the key`. */
  readonly label: string;
  /** Shows the icon alone, where there is little room. */
  readonly compact?: boolean;
}

export function CopyButton({ text, label, compact = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(copied ? 'copied' : 'refused');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(undefined), FEEDBACK_MS);
  };
  const said = { copied: 'Copied', refused: 'The browser does not allow it: select and copy' };
  const words = outcome === undefined ? label : said[outcome];
  const icon = outcome === 'copied' ? <Check size={16} /> : <Copy size={16} />;
  if (compact)
    return (
      <IconButton label={words} onClick={() => void copy()} aria-live="polite">
        {icon}
      </IconButton>
    );
  return (
    <Button icon={icon} onClick={() => void copy()} aria-live="polite">
      {words}
    </Button>
  );
}
