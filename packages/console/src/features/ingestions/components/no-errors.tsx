import { EmptyState } from '../../../components/empty-state.tsx';
import { CircleCheck } from '../../../components/icons/lucide-icons.ts';

export function NoErrors({ running }: { readonly running: boolean }) {
  return (
    <EmptyState icon={<CircleCheck />} title={running ? 'No errors so far' : 'No errors'}>
      <p>{running ? 'New errors appear here automatically.' : 'All records in this file are valid.'}</p>
    </EmptyState>
  );
}
