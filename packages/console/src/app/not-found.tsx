import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { MapPinOff } from '../components/icons/lucide-icons.ts';

export function NotFound() {
  return (
    <EmptyState icon={<MapPinOff />} title="There is no such page">
      <p>The address may be mistyped, or from another version of Sluice.</p>
      <Link to="/" className={buttonClass('primary')}>
        Go to the overview
      </Link>
    </EmptyState>
  );
}
