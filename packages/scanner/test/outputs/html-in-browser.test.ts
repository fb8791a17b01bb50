import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { browserPath, withoutBrowser } from '../../../server/test/support/find-browser.ts';
import { toHtml } from '../../src/outputs/html/html.ts';
import { hostileFindings, scan, variedFindings } from './support/findings.ts';

const run = promisify(execFile);

describe('the HTML report in a browser', {
  skip: withoutBrowser,
}, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-report-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The page as it is after its script has run, and what the browser complained about. */
  async function open(page: string): Promise<{ readonly dom: string; readonly complaints: string }> {
    const path = join(folder, 'report.html');
    await writeFile(path, page);
    const { stdout, stderr } = await run(
      browserPath,
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--enable-logging=stderr',
        `--user-data-dir=${join(folder, 'profile')}`,
        '--virtual-time-budget=5000',
        '--dump-dom',
        `file://${path}`,
      ],
      { maxBuffer: 64 * 1024 * 1024, timeout: 60_000 },
    );
    return {
      dom: stdout,
      complaints: stderr
        .split('\n')
        .filter((line) => line.includes('CONSOLE'))
        .join('\n'),
    };
  }

  it('runs the script of the HTML report under its own policy, with working filters and counts', async () => {
    const { dom, complaints } = await open(toHtml(variedFindings(), scan()));
    assert.equal(complaints, '');
    assert.match(dom, /<output id="shown"[^>]*>6 of 6 findings shown<\/output>/);
    assert.doesNotMatch(dom, /<form id="filters"[^>]*\shidden/);
  });

  it('runs no script from hostile names in the HTML report', async () => {
    const { dom, complaints } = await open(toHtml(hostileFindings(), scan()));
    assert.equal(complaints, '');
    assert.match(dom, /<title>Directory scan of acme\.directory\.com<\/title>/);
    assert.match(
      dom,
      new RegExp(`${hostileFindings().length} of ${hostileFindings().length} findings shown`),
    );
    assert.doesNotMatch(dom, /<img|<h1>owned/);
  });
});
