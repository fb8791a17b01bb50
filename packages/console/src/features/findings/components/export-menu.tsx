import { Menu } from '@base-ui/react/menu';
import { Button, buttonClass } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Download } from '../../../components/icons/lucide-icons.ts';
import { menuItem, menuPopup, menuPositioner } from '../../../components/menu.ts';
import { Progress } from '../../../components/progress.tsx';
import { formatBytes, formatCount, pluralize } from '../../../lib/format-number.ts';
import type { ExportProgress } from '../api/export-findings.ts';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from '../api/export-formats.ts';
import type { Sort } from '../api/url-state.ts';
import { useExport } from './use-export.ts';

interface ExportMenuProps {
  /** From `filterQuery`. */
  readonly filters: string;
  readonly sort: Sort;
  /** The number of matching findings. */
  readonly count: number;
}

/** Exports all findings that match the filters to a file, in the order of the table. */
export function ExportMenu({ filters, sort, count }: ExportMenuProps) {
  const { state, start, close } = useExport();
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className={buttonClass()} disabled={count === 0}>
          <Download size={16} aria-hidden="true" /> Export
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end" className={menuPositioner}>
            <Menu.Popup className={menuPopup} aria-label="Export">
              {EXPORT_FORMAT_NAMES.map((format) => (
                <Menu.Item key={format} className={menuItem} onClick={() => start({ format, filters, sort })}>
                  {pluralize(count, 'finding')} as {EXPORT_FORMATS[format].label}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {state !== undefined && (
        <Dialog open title={`Export as ${EXPORT_FORMATS[state.format].label}`} onClose={close}>
          {state.findings !== undefined && (
            <Progress label="Export progress" value={state.findings} max={Math.max(count, state.findings)} />
          )}
          <p role="status">
            {state.outcome === 'saved'
              ? describeFile(state)
              : describeProgress(state, Math.max(count, state.findings ?? 0))}
            {state.waiting !== undefined && `. Retrying: ${state.waiting}`}
          </p>
          {typeof state.outcome === 'object' && <ErrorNotice error={state.outcome.error} />}
          <div className={dialogActions}>
            <Button onClick={close}>{state.outcome === 'running' ? 'Cancel' : 'Close'}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function describeProgress({ bytes, findings }: ExportProgress, count: number): string {
  const size = formatBytes(bytes);
  return findings === undefined
    ? size
    : `${formatCount(findings)} of ${formatCount(count)} findings, ${size}`;
}

function describeFile({ bytes, findings }: ExportProgress): string {
  const size = formatBytes(bytes);
  return findings === undefined
    ? `${size} exported.`
    : `${pluralize(findings, 'finding')} exported, ${size}.`;
}
