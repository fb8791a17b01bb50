import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { Check, Copy } from './icons/lucide-icons.ts';

/** How long the result is shown, in milliseconds. */
const FEEDBACK_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** The label of the button, such as `Copy key`. */
  readonly label: string;
  /** Shows only the icon. */
  readonly compact?: boolean;
}

export function CopyButton({ text, label, compact = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setOutcome(copied ? 'copied' : 'failed');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(undefined), FEEDBACK_MS);
  };
  const results = { copied: 'Copied', failed: 'Copy failed. Select the text to copy it.' };
  const currentLabel = outcome === undefined ? label : results[outcome];
  const icon = outcome === 'copied' ? <Check size={16} /> : <Copy size={16} />;
  if (compact)
    return (
      <IconButton label={currentLabel} onClick={() => void copy()} aria-live="polite">
        {icon}
      </IconButton>
    );
  return (
    <Button icon={icon} onClick={() => void copy()} aria-live="polite">
      {currentLabel}
    </Button>
  );
}
