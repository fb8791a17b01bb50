import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { MapPinOff } from '../components/icons/lucide-icons.ts';

export function NotFound() {
  return (
    <EmptyState icon={<MapPinOff />} title="Page not found">
      <p>The link may be wrong or out of date.</p>
      <Link to="/" className={buttonClass('primary')}>
        Go to overview
      </Link>
    </EmptyState>
  );
}
