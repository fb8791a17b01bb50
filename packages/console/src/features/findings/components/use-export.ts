import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { type ExportProgress, type ExportRequest, exportFindings } from '../api/export-findings.ts';
import { EXPORT_FORMATS, type ExportFormatName } from '../api/export-formats.ts';

interface ExportState extends ExportProgress {
  readonly format: ExportFormatName;
  /** Why the current request is being retried, as a message for the user. */
  readonly waiting: string | undefined;
  readonly outcome: 'running' | 'saved' | { readonly error: unknown };
}

interface Export {
  readonly state: ExportState | undefined;
  readonly start: (request: ExportRequest) => void;
  /** Cancels the export if it is running, and resets the state. */
  readonly close: () => void;
}

/** Exports all findings that match the filters in the background. Leaving the page cancels the export. */
export function useExport(): Export {
  const api = useApi();
  const [state, setState] = useState<ExportState>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (request: ExportRequest, signal: AbortSignal) => {
    const change = (changed: Partial<ExportState>) =>
      setState((previous) => previous && { ...previous, ...changed });
    try {
      const file = await exportFindings(api, {
        ...request,
        signal,
        onProgress: change,
        onWaiting: (waiting) => change({ waiting }),
      });
      signal.throwIfAborted();
      const date = new Date().toISOString().slice(0, 10);
      saveFile(`findings-${date}.${EXPORT_FORMATS[request.format].extension}`, file);
      change({ outcome: 'saved' });
    } catch (error) {
      if (!signal.aborted) change({ outcome: { error } });
    }
  };
  return {
    state,
    start: (request) => {
      running.current?.abort();
      running.current = new AbortController();
      setState({
        format: request.format,
        bytes: 0,
        findings: undefined,
        waiting: undefined,
        outcome: 'running',
      });
      void run(request, running.current.signal);
    },
    close: () => {
      running.current?.abort();
      setState(undefined);
    },
  };
}
