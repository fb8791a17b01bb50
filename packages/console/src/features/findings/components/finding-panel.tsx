import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ChevronDown, ChevronUp, Link2 } from '../../../components/icons/lucide-icons.ts';
import { Notice } from '../../../components/notice.tsx';
import { SidePanel } from '../../../components/side-panel.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { findingQuery } from '../api/get-finding.ts';
import { FindingDetails } from './finding-details.tsx';

type Step = (() => Promise<void>) | undefined;

interface FindingPanelProps {
  readonly id: string;
  /** The row index in the table, starting at 0, and the row count. */
  readonly position: { readonly index: number; readonly count: number } | undefined;
  readonly previous: Step;
  readonly next: Step;
  readonly onClose: () => void;
}

/** The details of a finding. J opens the next finding, and K opens the previous finding. */
export function FindingPanel({ id, position, previous, next, onClose }: FindingPanelProps) {
  const query = useQuery({ ...findingQuery(useApi(), id), placeholderData: keepPreviousData });
  const { data, error, refetch } = query;
  useStepKeys(previous, next);
  const title = data?.finding.attributes.check_title ?? data?.finding.attributes.check_id ?? 'Finding';
  return (
    <SidePanel
      open
      title={title}
      onClose={onClose}
      actions={
        <>
          <CopyLink />
          <StepButton label="Previous finding (K)" step={previous}>
            <ChevronUp size={18} />
          </StepButton>
          <StepButton label="Next finding (J)" step={next}>
            <ChevronDown size={18} />
          </StepButton>
        </>
      }
    >
      {position !== undefined && (
        <VisuallyHidden>
          <span role="status">
            {title}, {formatCount(position.index + 1)} of {formatCount(position.count)}
          </span>
        </VisuallyHidden>
      )}
      {isNotFound(error) ? (
        <Notice variant="warning" live title="Finding not found">
          It may have been deleted with its provider, or the link may be wrong. Close this panel to return to
          the list.
        </Notice>
      ) : (
        error !== null && <ErrorNotice error={error} retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading finding…" />}
      {data !== undefined && <FindingDetails key={data.finding.id} {...data} />}
    </SidePanel>
  );
}

/** The service returns 400 for a malformed ID. */
function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

function CopyLink() {
  const toast = useToast();
  const copy = async () => {
    const copied = await navigator.clipboard?.writeText(window.location.href).then(
      () => true,
      () => false,
    );
    toast(copied ? 'Link copied' : "Can't copy the link. Copy the URL from the address bar.");
  };
  return (
    <IconButton label="Copy link" onClick={() => void copy()}>
      <Link2 size={18} />
    </IconButton>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly step: Step;
  readonly children: React.ReactNode;
}

/** Uses `aria-disabled`, because a disabled button would lose focus at the start or end of the list. */
function StepButton({ label, step, children }: StepButtonProps) {
  return (
    <IconButton label={label} aria-disabled={step === undefined} onClick={() => void step?.()}>
      {children}
    </IconButton>
  );
}

function useStepKeys(previous: Step, next: Step): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
      if (event.key === 'j') void next?.();
      if (event.key === 'k') void previous?.();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [previous, next]);
}
