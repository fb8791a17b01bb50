import { EmptyState } from '../../../components/empty-state.tsx';
import { CircleCheck } from '../../../components/icons/lucide-icons.ts';

export function NoErrors({ running }: { readonly running: boolean }) {
  return (
    <EmptyState icon={<CircleCheck />} title={running ? 'No errors so far' : 'No errors'}>
      <p>{running ? 'Those that come up are shown here at once.' : 'Every record of the file is good.'}</p>
    </EmptyState>
  );
}
