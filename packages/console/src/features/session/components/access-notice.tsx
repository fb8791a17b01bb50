import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../../components/notice.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { uploadAccessQuery } from '../api/check-access.ts';

const TITLES: Readonly<Record<number, string>> = {
  401: 'This key is narrowed and may not manage ingestions: uploads and their jobs are refused (401)',
  402: 'This tenant has no active subscription: uploads and their jobs are refused (402)',
  403: 'This key may not manage ingestions: uploads and their jobs are refused (403)',
};

/** Says from the start what this key may not do. */
export function AccessNotice() {
  const { data: refusal } = useQuery(uploadAccessQuery(useApi()));
  if (refusal === undefined || refusal === null) return null;
  return (
    <Notice variant="warning" title={TITLES[refusal.status] ?? 'Uploads are refused'}>
      {refusal.message}. Findings, scans and providers can be read.
    </Notice>
  );
}
