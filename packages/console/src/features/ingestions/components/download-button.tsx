import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Download } from '../../../components/icons/lucide-icons.ts';
import { useApi } from '../../../lib/api/api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { getFile } from '../api/get-file.ts';

/** What came compressed is given out inflated. */
const COMPRESSED = /\.(gz|zst|zstd)$/i;

interface DownloadButtonProps {
  readonly id: string;
  readonly fileName: string | null;
}

/** Saves the uploaded file of a job. The key goes with a header, so that no link could do it. */
export function DownloadButton({ id, fileName }: DownloadButtonProps) {
  const api = useApi();
  const name = fileName?.replace(COMPRESSED, '') ?? `${id}.ocsf.json`;
  const download = useMutation({
    mutationFn: () => getFile(api, id),
    onSuccess: (file) => saveFile(name, file),
  });
  return (
    <>
      <Button
        icon={<Download size={16} aria-hidden="true" />}
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        {download.isPending ? 'Downloading' : 'Download the file'}
      </Button>
      <Dialog open={download.isError} title="The file cannot be downloaded" onClose={() => download.reset()}>
        <ErrorNotice error={download.error} />
        <div className={dialogActions}>
          <Button onClick={() => download.mutate()}>Try again</Button>
          <Button variant="primary" onClick={() => download.reset()}>
            Close
          </Button>
        </div>
      </Dialog>
    </>
  );
}
