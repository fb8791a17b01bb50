import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';

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
