import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startProgress } from '../../src/terminal/progress.ts';
import { type Output, Screen, shouldUseColors } from '../../src/terminal/screen.ts';

function output(terminal: boolean): { readonly stream: Output; readonly text: () => string } {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  const stream = terminal ? { write, isTTY: true, columns: 30, hasColors: () => true } : { write };
  return { stream, text: () => written.join('') };
}

const CLEARED = '\r\u001b[2K';

describe('terminal output', () => {
  it('keeps a status line below the output and truncates it to the terminal width', () => {
    const { stream, text } = output(true);
    const screen = new Screen(stream, stream);
    screen.status('working and working and working and working');
    screen.result('done\n');
    screen.status('');
    const line = 'working and working and worki';
    assert.equal(text(), `${CLEARED}${line}${CLEARED}done\n${CLEARED}${line}${CLEARED}`);
  });

  it('prints no status line outside a terminal', () => {
    const { stream, text } = output(false);
    const screen = new Screen(stream, stream);
    screen.status('working');
    screen.notice('done\n');
    assert.equal(text(), 'done\n');
  });

  it('draws a progress bar and removes it at the end', async () => {
    const { stream, text } = output(true);
    let done = 0;
    const progress = startProgress(new Screen(stream, stream), () => ({
      done,
      total: 2,
      text: `${done}/2 read`,
    }));
    done = 1;
    await setTimeout(250);
    progress.end();
    assert.equal(
      text(),
      `${CLEARED}${'░'.repeat(24)} 0/2 ${CLEARED}${'█'.repeat(12)}${'░'.repeat(12)} 1/2 ${CLEARED}`,
    );
  });
});

describe('colors', () => {
  const { stream: terminal } = output(true);
  it('prints colors to terminals that support colors', () => {
    assert.equal(shouldUseColors(terminal, true, {}), true);
    assert.equal(shouldUseColors({ ...terminal, hasColors: () => false }, true, {}), false);
    assert.equal(shouldUseColors(output(false).stream, true, {}), false);
  });

  it('prints no colors with --no-color or with a non-empty NO_COLOR', () => {
    assert.equal(shouldUseColors(terminal, false, {}), false);
    assert.equal(shouldUseColors(terminal, true, { NO_COLOR: '1' }), false);
    assert.equal(shouldUseColors(terminal, true, { NO_COLOR: '' }), true);
  });
});
