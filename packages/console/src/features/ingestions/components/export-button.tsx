import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FileSpreadsheet } from '../../../components/icons/lucide-icons.ts';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { exportErrors } from '../api/export-errors.ts';
import type { ErrorList } from '../api/list-errors.ts';

interface ExportButtonProps {
  readonly list: Omit<ErrorList, 'page' | 'pageSize'>;
  /** The name of the uploaded file. */
  readonly fileName: string;
  /** The number of errors that match the filter. */
  readonly count: number;
}

/** Exports all errors that match the filter, not just the current page. */
export function ExportButton({ list, fileName, count }: ExportButtonProps) {
  const api = useApi();
  const [read, setRead] = useState(0);
  const abortController = useRef<AbortController>(undefined);
  useEffect(() => () => abortController.current?.abort(), []);
  const exporting = useMutation({
    mutationFn: () => {
      setRead(0);
      abortController.current = new AbortController();
      return exportErrors(api, list, setRead, abortController.current.signal);
    },
    onSuccess: (file) => saveFile(`${fileName}.errors.csv`, file),
  });
  return (
    <>
      <Button
        icon={<FileSpreadsheet size={16} aria-hidden="true" />}
        disabled={exporting.isPending || count === 0}
        onClick={() => exporting.mutate()}
      >
        {exporting.isPending
          ? `Exporting ${formatCount(read)} of ${formatCount(count)}…`
          : 'Export errors as CSV'}
      </Button>
      <Dialog open={exporting.isError} title="Can't export the errors" onClose={() => exporting.reset()}>
        <ErrorNotice error={exporting.error} />
        <div className={dialogActions}>
          <Button onClick={() => exporting.mutate()}>Try again</Button>
          <Button variant="primary" onClick={() => exporting.reset()}>
            Close
          </Button>
        </div>
      </Dialog>
    </>
  );
}
