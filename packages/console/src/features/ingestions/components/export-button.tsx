import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FileSpreadsheet } from '../../../components/icons/lucide-icons.ts';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { exportProblems } from '../api/export-problems.ts';
import type { ProblemList } from '../api/list-problems.ts';

interface ExportButtonProps {
  readonly list: Omit<ProblemList, 'page' | 'pageSize'>;
  /** The name of the uploaded file. */
  readonly fileName: string;
  /** The number of errors or warnings that match the filter. */
  readonly count: number;
}

/** Exports all errors or warnings that match the filter, not just the current page. */
export function ExportButton({ list, fileName, count }: ExportButtonProps) {
  const api = useApi();
  const [read, setRead] = useState(0);
  const abortController = useRef<AbortController>(undefined);
  useEffect(() => () => abortController.current?.abort(), []);
  const exporting = useMutation({
    mutationFn: () => {
      setRead(0);
      abortController.current = new AbortController();
      return exportProblems(api, list, setRead, abortController.current.signal);
    },
    onSuccess: (file) => saveFile(`${fileName}.${list.type}.csv`, file),
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
          : `Export ${list.type} as CSV`}
      </Button>
      <Dialog
        open={exporting.isError}
        title={`Can't export the ${list.type}`}
        onClose={() => exporting.reset()}
      >
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
