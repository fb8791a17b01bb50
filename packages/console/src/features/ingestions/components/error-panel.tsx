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
  /** The errors on the current page, or `undefined` while loading. */
  readonly errors: readonly IngestionError[] | undefined;
  /** The ID of the selected error. */
  readonly selected: string | undefined;
}

/** The details of one error with its record, next to the list. */
export function ErrorPanel({ ingestionId, errors, selected }: ErrorPanelProps) {
  const navigate = useNavigate();
  const [shown, setShown] = useState(selected);
  // Keeps the content during the closing animation.
  if (selected !== undefined && selected !== shown) setShown(selected);
  const index = errors?.findIndex(({ id }) => id === shown) ?? -1;
  const error = errors?.[index];
  const go = (id: string | undefined, replace = false) =>
    void navigate({
      to: '.',
      search: (before: Record<string, string | undefined>) => ({ ...before, error: id }),
      replace,
      resetScroll: false,
    });
  const stepButton = (label: string, to: IngestionError | undefined, icon: React.ReactNode) => (
    // Uses `aria-disabled`, because a disabled button would lose focus at the start or end of the list.
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
      title={error === undefined ? 'Error' : getTitle(error)}
      actions={
        <>
          {stepButton('Previous error', errors?.[index - 1], <ChevronUp size={18} />)}
          {stepButton('Next error', index < 0 ? undefined : errors?.[index + 1], <ChevronDown size={18} />)}
        </>
      }
      onClose={() => go(undefined)}
    >
      {errors === undefined && <Skeleton lines={8} />}
      {errors !== undefined && error === undefined && (
        <Notice title="Error not found on this page">
          Close this panel, then change the filters or go to another page.
        </Notice>
      )}
      {error !== undefined && <ErrorDetails ingestionId={ingestionId} error={error} />}
    </SidePanel>
  );
}

function getTitle({ attributes: { record_index } }: IngestionError): string {
  return record_index === null ? 'File error' : `Error in record ${formatCount(record_index)}`;
}
