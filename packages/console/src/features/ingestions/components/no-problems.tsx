import { EmptyState } from '../../../components/empty-state.tsx';
import { CircleCheck } from '../../../components/icons/lucide-icons.ts';
import type { ProblemType } from '../api/list-problems.ts';

interface NoProblemsProps {
  readonly type: ProblemType;
  readonly running: boolean;
}

export function NoProblems({ type, running }: NoProblemsProps) {
  return (
    <EmptyState icon={<CircleCheck />} title={running ? `No ${type} so far` : `No ${type}`}>
      {running && <p>New {type} appear here automatically.</p>}
      {!running && type === 'errors' && <p>All records in this file are valid.</p>}
    </EmptyState>
  );
}
