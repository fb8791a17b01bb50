// Writes the job summary and the output ingestion-ids. Plain JavaScript for the Node of any runner, from 20 on.
//   node summary.mjs FOLDER [FILE...]
// FOLDER holds push.json, what `scanner push --json` printed, where something was pushed. The FILEs are those that
// were pushed; push.json names the ones that a glob stood for. SCAN_CODE and PUSH_CODE: the exit codes, or empty.
import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A longer file is not read whole, only to count: its records are counted by the service. */
const COUNTED_BYTES = 64 * 1024 * 1024;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const SHOWN_ERRORS = 10;

/** Text of others, as text: no table cell, markup, link or HTML of theirs comes into the summary. */
function plain(text) {
  return String(text)
    .replace(/\s+/g, ' ')
    .replace(/[&<>"'`|*_[\]()\\~#!@]/g, (sign) => `&#${sign.codePointAt(0)};`);
}

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** What the push said of each file; `undefined` where it ended before it could say anything. */
async function readPushed(folder) {
  let text;
  try {
    text = await readFile(path.join(folder, 'push.json'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  try {
    const pushed = JSON.parse(text);
    return Array.isArray(pushed) ? pushed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function countSection(file) {
  const name = plain(path.basename(file));
  const found = await stat(file).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return `${name} is not there.\n`;
  if (found.size > COUNTED_BYTES) return `${name} is too large to be counted here.\n`;
  let records;
  try {
    records = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return `${name} is no JSON; it is not counted here.\n`;
    throw error;
  }
  if (!Array.isArray(records)) return `${name} holds no array of findings; it is not counted here.\n`;
  const counts = new Map();
  for (const record of records) {
    const status = record?.status_code ?? '(no status_code)';
    const count = counts.get(status) ?? { all: 0, muted: 0 };
    count.all += 1;
    if (record?.status === 'Suppressed') count.muted += 1;
    counts.set(status, count);
  }
  const rows = [...counts].sort().map(([status, { all, muted }]) => [plain(status), all, muted]);
  return `Findings in ${name}: ${records.length}\n\n${table(['Status', 'Findings', 'Of them muted'], rows)}`;
}

function linkTo(url) {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return '';
  return `[scans](<${new URL(url).href}>)`;
}

function pushSection(pushed) {
  const rows = pushed.map(({ file, ingestion_id, status, summary, scans_url, problem }) => [
    plain(path.basename(String(file))),
    ingestion_id === null ? '' : `\`${plain(ingestion_id)}\``,
    plain(problem?.message ?? status ?? ''),
    summary?.processed ?? '',
    summary?.invalid ?? '',
    linkTo(scans_url),
  ]);
  const head = ['File', 'Ingestion job', 'Result', 'Processed', 'Invalid', 'Link'];
  const errors = pushed.flatMap((entry) => entry.errors ?? []);
  const shown = errors.slice(0, SHOWN_ERRORS).map(({ code, detail, pointer, record_index }) => {
    const where = [record_index == null ? '' : `record ${record_index}`, pointer ?? ''].filter(Boolean);
    return `- ${[plain(code), plain(detail), plain(where.join(', '))].filter(Boolean).join(': ')}\n`;
  });
  return [table(head, rows), shown.length === 0 ? '' : `First errors:\n\n${shown.join('')}`].join('\n');
}

async function main() {
  const [folder, ...files] = process.argv.slice(2);
  const { SCAN_CODE, PUSH_CODE, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = process.env;
  const pushed = await readPushed(folder);
  const named = (pushed ?? []).map(({ file }) => file).filter((file) => file !== '-');
  const sections = ['## Sluice\n'];
  if (SCAN_CODE) sections.push(`Scan: exit code ${SCAN_CODE}\n`);
  if (SCAN_CODE && files.length === 0) sections.push('The scan left no findings; nothing was pushed.\n');
  for (const file of new Set(named.length > 0 ? named : SCAN_CODE ? files : []))
    sections.push(await countSection(file));
  if (PUSH_CODE) sections.push(`Push: exit code ${PUSH_CODE}\n`);
  if (pushed === undefined) sections.push('The push ended without a result; the log says why.\n');
  else if (pushed.length > 0) sections.push(pushSection(pushed));
  const ids = (pushed ?? []).map(({ ingestion_id }) => ingestion_id).filter((id) => UUID.test(id));
  await appendFile(GITHUB_STEP_SUMMARY, `${sections.join('\n')}\n`);
  await appendFile(GITHUB_OUTPUT, `ingestion-ids=${ids.join(' ')}\n`);
}

await main();
