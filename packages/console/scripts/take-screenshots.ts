import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateRecord } from '../../../tools/findings-generator/src/index.ts';
import { type Client, createClient } from '../../server/test/support/client.ts';
import { createSandbox } from '../../server/test/support/sandbox.ts';
import { openConsole } from '../test/support/browser.ts';
import { startBrowser } from '../test/support/start-browser.ts';

/** The screenshots in the documentation. To update them, run: npm run screenshots --workspace @sluice/console */
const FOLDER = fileURLToPath(new URL('../../../docs/screenshots/', import.meta.url));
const SIZE = { width: 1280, height: 800 };
const DAY_S = 86_400;

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Text that appears once the page has loaded. */
  readonly text: RegExp;
  readonly dark?: boolean;
  readonly phone?: boolean;
}

const sandbox = createSandbox();
const browser = await startBrowser();
try {
  const service = await sandbox.startService({ SLUICE_WORKERS: '1' });
  const client = createClient(service.url, service.key);
  const failed = await ingestNights(client);
  const scan = await firstId(client, '/scans');
  const finding = await firstId(client, '/findings?filter[status]=FAIL&sort=-severity');
  const shots: readonly Shot[] = [
    { name: 'overview', path: '/', text: /failing findings in/ },
    { name: 'overview-dark', path: '/', text: /failing findings in/, dark: true },
    { name: 'findings', path: '/findings?status=FAIL&muted=false', text: /Export/ },
    { name: 'finding', path: `/findings?status=FAIL&muted=false&finding=${finding}`, text: /Remediation/ },
    { name: 'scans', path: '/scans', text: /nightly/ },
    { name: 'scan', path: `/scans/${scan}`, text: /AWS/ },
    { name: 'ingestions', path: '/ingestions', text: /nightly/ },
    { name: 'ingestion', path: `/ingestions/${failed}`, text: /Byte offset|Offset/i },
    { name: 'providers', path: '/providers', text: /AWS/ },
    { name: 'api-keys', path: '/api-keys', text: /Current key/ },
    { name: 'subscription', path: '/subscription', text: /AWS/ },
    { name: 'findings-phone', path: '/findings?status=FAIL&muted=false', text: /Fail/, phone: true },
  ];
  await mkdir(FOLDER, { recursive: true });
  for (const shot of shots) {
    const { page, context } = await openConsole(browser, service, {
      path: shot.path,
      viewport: shot.phone === true ? { width: 390, height: 844 } : SIZE,
      colorScheme: shot.dark === true ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    await page.getByText(shot.text).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: path.join(FOLDER, `${shot.name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await sandbox.clear();
}

/** Ingests several weeks of nightly uploads. Returns the ID of the last upload, which contains invalid records. */
async function ingestNights(client: Client): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  let id = '';
  for (const [night, daysAgo] of [40, 33, 26, 20, 14, 9, 5, 2, 0].entries()) {
    const options = {
      seed: 1 + Math.floor(daysAgo / 8),
      failShare: 0.12 + 0.006 * daysAgo,
      invalidShare: daysAgo === 0 ? 0.01 : 0,
      accounts: 6,
      checks: 60,
      resources: 30,
      time: now - daysAgo * DAY_S - 600,
    };
    const records = Array.from({ length: 3000 }, (_, index) => generateRecord(options, index));
    ({ id } = await client.ingest(records, { fileName: `nightly-${night + 1}.ocsf.json` }));
  }
  return id;
}

async function firstId(client: Client, list: string): Promise<string> {
  const { body } = await client.get<readonly { readonly id: string }[]>(list);
  const [first] = body.data;
  if (first === undefined) throw new Error(`${list} is empty`);
  return first.id;
}
