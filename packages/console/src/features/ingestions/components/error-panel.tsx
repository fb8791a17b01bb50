import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { ChevronDown, ChevronUp } from '../../../components/icons/lucide-icons.ts';
import { Notice } from '../../../components/notice.tsx';
import { SidePanel } from '../../../components/side-panel.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { IngestionError } from '../../../lib/api/types.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { ErrorDetails } from './error-details.tsx';

interface ErrorPanelProps {
  readonly ingestionId: string;
  /** Those of the page; `undefined`: they are on their way. */
  readonly errors: readonly IngestionError[] | undefined;
  /** The id of the one to show. */
  readonly selected: string | undefined;
}

/** One error with the record that it is about, beside the list. */
export function ErrorPanel({ ingestionId, errors, selected }: ErrorPanelProps) {
  const navigate = useNavigate();
  const [shown, setShown] = useState(selected);
  // While the panel moves out it still shows what it has shown.
  if (selected !== undefined && selected !== shown) setShown(selected);
  const at = errors?.findIndex(({ id }) => id === shown) ?? -1;
  const error = errors?.[at];
  const go = (id: string | undefined, replace = false) =>
    void navigate({
      to: '.',
      search: (before: Record<string, string | undefined>) => ({ ...before, error: id }),
      replace,
      resetScroll: false,
    });
  const step = (label: string, to: IngestionError | undefined, icon: React.ReactNode) => (
    // One that cannot be pressed any more keeps the focus: who steps by keyboard stays where they are.
    <IconButton
      label={label}
      aria-disabled={to === undefined}
      onClick={() => to !== undefined && go(to.id, true)}
    >
      {icon}
    </IconButton>
  );
  return (
    <SidePanel
      open={selected !== undefined}
      title={error === undefined ? 'Error' : titleOf(error)}
      actions={
        <>
          {step('Previous error', errors?.[at - 1], <ChevronUp size={18} />)}
          {step('Next error', at < 0 ? undefined : errors?.[at + 1], <ChevronDown size={18} />)}
        </>
      }
      onClose={() => go(undefined)}
    >
      {errors === undefined && <Skeleton lines={8} />}
      {errors !== undefined && error === undefined && (
        <Notice title="This error is not on this page of the list">
          Close this panel, and look for it under another filter or on another page.
        </Notice>
      )}
      {error !== undefined && <ErrorDetails ingestionId={ingestionId} error={error} />}
    </SidePanel>
  );
}

function titleOf({ attributes: { record_index } }: IngestionError): string {
  return record_index === null ? 'Error of the file' : `Error in record ${formatCount(record_index)}`;
}
