import { CodeSample } from '../../../components/code-sample.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Radar } from '../../../components/icons/lucide-icons.ts';
import { useSession } from '../../../lib/session-context.ts';

/** Explains how to upload the first scan. */
export function PushHelp() {
  const { baseUrl } = useSession();
  const scanner = [
    `export SCANNER_CLOUD_API_BASE_URL=${baseUrl} SCANNER_CLOUD_API_KEY=<API_KEY>`,
    "npx scanner push 'output/*.ocsf.json' --wait",
  ].join('\n');
  const curl = `curl -sS -H 'Authorization: Api-Key <API_KEY>' \\\n  -F file=@findings.ocsf.json ${baseUrl}/api/v1/ingestions`;
  return (
    <EmptyState icon={<Radar />} title="No scans yet">
      <p>Drop an .ocsf.json file anywhere on this page, or push one from a terminal or a pipeline:</p>
      <CodeSample code={scanner} copyLabel="Copy scanner command" />
      <p>With curl:</p>
      <CodeSample code={curl} copyLabel="Copy curl command" />
      <p>New scans appear here automatically.</p>
    </EmptyState>
  );
}
