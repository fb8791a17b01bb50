import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../../components/notice.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { uploadAccessQuery } from '../api/check-access.ts';

const REASONS: Readonly<Record<number, string>> = {
  401: 'this key lacks the manage_ingestions permission (401)',
  402: 'this tenant has no active subscription (402)',
  403: 'your user lacks the manage_ingestions permission (403)',
};

/** Explains on every page why the current key can't upload. */
export function AccessNotice() {
  const { data: error } = useQuery(uploadAccessQuery(useApi()));
  if (error === undefined || error === null) return null;
  return (
    <Notice variant="warning" title={`Uploads are unavailable: ${REASONS[error.status] ?? error.message}`}>
      You can still view findings, scans and providers.
    </Notice>
  );
}
