import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { ChevronDown, ChevronUp } from '../../../components/icons/lucide-icons.ts';
import { Notice } from '../../../components/notice.tsx';
import { SidePanel } from '../../../components/side-panel.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { IngestionProblem } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { PROBLEM_NOUNS, type ProblemType } from '../api/list-problems.ts';
import { ProblemDetails } from './problem-details.tsx';

interface ProblemPanelProps {
  readonly ingestionId: string;
  readonly type: ProblemType;
  /** The errors or warnings on the current page, or `undefined` while loading. */
  readonly problems: readonly IngestionProblem[] | undefined;
  /** The ID of the selected error or warning. */
  readonly selected: string | undefined;
}

/** The details of one error or warning with its record, next to the list. */
export function ProblemPanel({ ingestionId, type, problems, selected }: ProblemPanelProps) {
  const [noun] = PROBLEM_NOUNS[type];
  const navigate = useNavigate();
  const [shown, setShown] = useState(selected);
  // Keeps the content during the closing animation.
  if (selected !== undefined && selected !== shown) setShown(selected);
  const index = problems?.findIndex(({ id }) => id === shown) ?? -1;
  const problem = problems?.[index];
  const go = (id: string | undefined, replace = false) =>
    void navigate({
      to: '.',
      search: (before: Record<string, string | undefined>) => ({ ...before, problem: id }),
      replace,
      resetScroll: false,
    });
  const stepButton = (label: string, to: IngestionProblem | undefined, icon: React.ReactNode) => (
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
      title={problem === undefined ? capitalize(noun) : getTitle(type, problem)}
      actions={
        <>
          {stepButton(`Previous ${noun}`, problems?.[index - 1], <ChevronUp size={18} />)}
          {stepButton(
            `Next ${noun}`,
            index < 0 ? undefined : problems?.[index + 1],
            <ChevronDown size={18} />,
          )}
        </>
      }
      onClose={() => go(undefined)}
    >
      {problems === undefined && <Skeleton lines={8} />}
      {problems !== undefined && problem === undefined && (
        <Notice title={`${capitalize(noun)} not found on this page`}>
          Close this panel, then change the filters or go to another page.
        </Notice>
      )}
      {problem !== undefined && <ProblemDetails ingestionId={ingestionId} type={type} problem={problem} />}
    </SidePanel>
  );
}

function getTitle(type: ProblemType, { attributes }: IngestionProblem): string {
  const { record_index, record_count } = attributes;
  if (record_index === null) return `File ${PROBLEM_NOUNS[type][0]}`;
  const records = record_count ?? 1;
  const place = records > 1 ? `${formatCount(records)} records` : `record ${formatCount(record_index)}`;
  return type === 'errors' ? `Error in ${place}` : `Warning about ${place}`;
}
