import { CodeSample } from '../../../components/code-sample.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FileUp } from '../../../components/icons/lucide-icons.ts';
import { UploadButton } from '../../../components/upload-button.tsx';
import { useSession } from '../../../lib/session-context.ts';

/** Explains how to upload the first file. */
export function NoIngestions() {
  const { baseUrl } = useSession();
  const curl = `curl -sS -H "Authorization: Api-Key $SCANNER_CLOUD_API_KEY" -F file=@findings.ocsf.json ${baseUrl}/api/v1/ingestions`;
  const push = `SCANNER_CLOUD_API_BASE_URL=${baseUrl} npx scanner push findings.ocsf.json --wait`;
  return (
    <EmptyState icon={<FileUp />} title="No uploads yet">
      <p>Drop .ocsf.json files anywhere on this page, or choose files to upload.</p>
      <UploadButton />
      <p>
        To upload from a terminal or a pipeline, set <code>SCANNER_CLOUD_API_KEY</code> to an API key and run
        one of these commands:
      </p>
      <CodeSample code={curl} copyLabel="Copy curl command" />
      <CodeSample code={push} copyLabel="Copy scanner command" />
    </EmptyState>
  );
}
