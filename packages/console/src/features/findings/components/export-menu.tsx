import { Menu } from '@base-ui/react/menu';
import { Button, buttonClass } from '../../../components/button.tsx';
import { Dialog, dialogActions } from '../../../components/dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Download } from '../../../components/icons/lucide-icons.ts';
import { menuItem, menuPopup, menuPositioner } from '../../../components/menu.ts';
import { Progress } from '../../../components/progress.tsx';
import { formatCount, pluralize } from '../../../lib/format-number.ts';
import { EXPORT_FORMATS } from '../api/export-formats.ts';
import { useExport } from './use-export.ts';

interface ExportMenuProps {
  /** From `filterQuery`. */
  readonly filters: string;
  /** The number of matching findings. */
  readonly count: number;
}

/** Exports all findings that match the filters to a file. */
export function ExportMenu({ filters, count }: ExportMenuProps) {
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
              {(['csv', 'ndjson'] as const).map((format) => (
                <Menu.Item key={format} className={menuItem} onClick={() => start(format, filters)}>
                  {pluralize(count, 'finding')} as {EXPORT_FORMATS[format].label}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {state !== undefined && (
        <Dialog open title={`Export as ${EXPORT_FORMATS[state.format].label}`} onClose={close}>
          <Progress label="Export progress" value={state.written} max={Math.max(count, state.written)} />
          <p role="status">
            {state.outcome === 'saved'
              ? `${pluralize(state.written, 'finding')} exported, sorted by ID.`
              : `${formatCount(state.written)} of ${formatCount(Math.max(count, state.written))} findings`}
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
