import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { exportFindings } from '../api/export-findings.ts';
import { EXPORT_FORMATS, type ExportFormatName } from '../api/export-formats.ts';

interface ExportState {
  readonly format: ExportFormatName;
  /** The number of exported findings. */
  readonly written: number;
  /** Why the current request is being retried, as a message for the user. */
  readonly waiting: string | undefined;
  readonly outcome: 'running' | 'saved' | { readonly error: unknown };
}

interface Export {
  readonly state: ExportState | undefined;
  /** `filters` is the result of `filterQuery`. */
  readonly start: (format: ExportFormatName, filters: string) => void;
  /** Cancels the export if it is running, and resets the state. */
  readonly close: () => void;
}

/** Exports all findings that match the filters in the background. Leaving the page cancels the export. */
export function useExport(): Export {
  const api = useApi();
  const [state, setState] = useState<ExportState>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (format: ExportFormatName, filters: string, signal: AbortSignal) => {
    const { header, write, extension, mediaType } = EXPORT_FORMATS[format];
    const change = (changed: Partial<ExportState>) =>
      setState((previous) => previous && { ...previous, ...changed });
    // Creates one Blob per page of findings, because the browser can store Blobs outside the page's memory.
    const parts = [new Blob([header])];
    let written = 0;
    const onWaiting = (waiting: string | undefined) => change({ waiting });
    try {
      for await (const findings of exportFindings(api, { filters, signal, onWaiting })) {
        parts.push(new Blob([write(findings)]));
        written += findings.length;
        change({ written });
      }
      signal.throwIfAborted();
      saveFile(
        `findings-${new Date().toISOString().slice(0, 10)}.${extension}`,
        new Blob(parts, { type: mediaType }),
      );
      change({ outcome: 'saved' });
    } catch (error) {
      if (!signal.aborted) change({ outcome: { error } });
    }
  };
  return {
    state,
    start: (format, filters) => {
      running.current?.abort();
      running.current = new AbortController();
      setState({ format, written: 0, waiting: undefined, outcome: 'running' });
      void run(format, filters, running.current.signal);
    },
    close: () => {
      running.current?.abort();
      setState(undefined);
    },
  };
}
