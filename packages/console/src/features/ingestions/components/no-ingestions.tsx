import { CodeSample } from '../../../components/code-sample.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FileUp } from '../../../components/icons/lucide-icons.ts';
import { UploadButton } from '../../../components/upload-button.tsx';
import { useSession } from '../../../lib/session-context.ts';

/** How a first file comes in. */
export function NoIngestions() {
  const { baseUrl } = useSession();
  const curl = `curl -sS -H "Authorization: Api-Key $SCANNER_CLOUD_API_KEY" -F file=@findings.ocsf.json ${baseUrl}/api/v1/ingestions`;
  const push = `SCANNER_CLOUD_API_BASE_URL=${baseUrl} npx scanner push findings.ocsf.json --wait`;
  return (
    <EmptyState icon={<FileUp />} title="Nothing is uploaded yet">
      <p>Drop .ocsf.json files anywhere on this page, or choose them.</p>
      <UploadButton />
      <p>
        From a terminal or a pipeline, with an API key in <code>SCANNER_CLOUD_API_KEY</code>:
      </p>
      <CodeSample code={curl} copyLabel="Copy the curl command" />
      <CodeSample code={push} copyLabel="Copy the scanner command" />
    </EmptyState>
  );
}
