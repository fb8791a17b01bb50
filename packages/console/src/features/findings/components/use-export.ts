import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { exportFindings } from '../api/export-findings.ts';
import { EXPORT_FORMATS, type ExportFormatName } from '../api/export-formats.ts';

export interface ExportState {
  readonly format: ExportFormatName;
  /** Findings that are written. */
  readonly written: number;
  /** Why the service lets it wait; in words. */
  readonly waiting: string | undefined;
  readonly outcome: 'running' | 'saved' | { readonly error: unknown };
}

interface Export {
  readonly state: ExportState | undefined;
  /** `filters` as `filterQuery` writes them. */
  readonly start: (format: ExportFormatName, filters: string) => void;
  /** Ends it where it runs, and forgets it. */
  readonly close: () => void;
}

/** Writes all findings under some filters to a file, while the page goes on. It ends with the page. */
export function useExport(): Export {
  const api = useApi();
  const [state, setState] = useState<ExportState>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (format: ExportFormatName, filters: string, signal: AbortSignal) => {
    const { head, write, extension, mediaType } = EXPORT_FORMATS[format];
    const change = (changed: Partial<ExportState>) =>
      setState((before) => before && { ...before, ...changed });
    // Each page is a Blob of its own, which the browser can keep outside of the page's memory.
    const parts = [new Blob([head])];
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
