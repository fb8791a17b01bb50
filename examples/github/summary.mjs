// Writes the job summary and the `ingestion-ids` output. Plain JavaScript, so that it runs with Node 20 or later.
//   node summary.mjs FOLDER [FILE...]
// FOLDER contains push.json, the output of `scanner push --json`, unless nothing was pushed. FILE arguments are the pushed
// files or globs; push.json contains the expanded names. SCAN_CODE and PUSH_CODE are the exit codes, or empty.
import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Larger files are not counted here. The service reports their record counts. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MAX_ERRORS = 10;

/** Escapes untrusted text, so that it can't add table cells, Markdown, links, or HTML to the summary. */
function escapeText(text) {
  return String(text)
    .replace(/\s+/g, ' ')
    .replace(/[&<>"'`|*_[\]()\\~#!@]/g, (character) => `&#${character.codePointAt(0)};`);
}

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** Reads the push result of each file, or `undefined` if the push failed without a result. */
async function readPushResults(folder) {
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
  const name = escapeText(path.basename(file));
  const info = await stat(file).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (info === undefined) return `${name} does not exist.\n`;
  if (info.size > MAX_COUNTED_BYTES) return `${name} is too large to count its findings here.\n`;
  let records;
  try {
    records = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError)
      return `${name} is not valid JSON, so its findings are not counted here.\n`;
    throw error;
  }
  if (!Array.isArray(records))
    return `${name} does not contain an array, so its findings are not counted here.\n`;
  const counts = new Map();
  for (const record of records) {
    const status = record?.status_code ?? '(no status_code)';
    const count = counts.get(status) ?? { all: 0, muted: 0 };
    count.all += 1;
    if (record?.status === 'Suppressed') count.muted += 1;
    counts.set(status, count);
  }
  const rows = [...counts].sort().map(([status, { all, muted }]) => [escapeText(status), all, muted]);
  return `Findings in ${name}: ${records.length}\n\n${table(['Status', 'Findings', 'Muted'], rows)}`;
}

function link(text, url) {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return '';
  return `[${text}](<${new URL(url).href}>)`;
}

function pushSection(pushed) {
  const rows = pushed.map(({ file, ingestion_id, status, summary, scans_url, problem }) => [
    escapeText(path.basename(String(file))),
    ingestion_id === null ? '' : `\`${escapeText(ingestion_id)}\``,
    escapeText(problem?.message ?? status ?? ''),
    summary?.processed ?? '',
    summary?.invalid ?? '',
    link('scans', scans_url),
  ]);
  const head = ['File', 'Ingestion job', 'Result', 'Processed', 'Invalid', 'Link'];
  const errors = pushed.flatMap((entry) => entry.errors ?? []);
  const shown = errors.slice(0, MAX_ERRORS).map(({ code, detail, pointer, record_index }) => {
    const location = [record_index == null ? '' : `record ${record_index}`, pointer ?? ''].filter(Boolean);
    return `- ${[escapeText(code), escapeText(detail), escapeText(location.join(', '))].filter(Boolean).join(': ')}\n`;
  });
  return [table(head, rows), shown.length === 0 ? '' : `First errors:\n\n${shown.join('')}`].join('\n');
}

const CHANGES = ['new', 'reopened', 'regressed', 'fixed', 'unchanged', 'resolved', 'newly_failed'];

/** How each file changed findings; empty if that is unknown for all files. */
function changesSection(pushed) {
  const rows = pushed
    .filter(({ findings }) => findings != null)
    .map(({ file, findings }) => [
      escapeText(path.basename(String(file))),
      ...CHANGES.map((change) =>
        Object.values(findings[change] ?? {}).reduce((sum, count) => sum + Number(count), 0),
      ),
    ]);
  if (rows.length === 0) return [];
  const head = ['File', 'New', 'Reopened', 'Regressed', 'Fixed', 'Unchanged', 'Resolved', 'Newly failed'];
  return [table(head, rows)];
}

/** The result of the gate for each file, and the findings for which it failed. */
function gateSection(pushed) {
  return pushed
    .filter(({ gate }) => gate != null)
    .map(({ file, gate }) => {
      const { severity, result, count, findings, reason } = gate;
      const name = escapeText(path.basename(String(file)));
      const details = [
        `${name}: ${escapeText(String(result).replace('_', ' '))}`,
        count == null
          ? ''
          : `new, regressed or reopened findings with severity ${escapeText(severity)} or worse: ${Number(count)}`,
        reason == null ? '' : escapeText(reason),
      ];
      const rows = findings.map((finding) => [
        escapeText(finding.severity),
        escapeText(finding.check_title ?? finding.check_id),
        escapeText(finding.resource ?? ''),
        escapeText(finding.account),
        link('finding', finding.url),
      ]);
      const head = ['Severity', 'Check', 'Resource', 'Account', 'Link'];
      return `Gate for ${details.filter(Boolean).join('; ')}\n${rows.length === 0 ? '' : `\n${table(head, rows)}`}`;
    });
}

async function main() {
  const [folder, ...files] = process.argv.slice(2);
  const { SCAN_CODE, PUSH_CODE, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = process.env;
  const pushed = await readPushResults(folder);
  const pushedFiles = (pushed ?? []).map(({ file }) => file).filter((file) => file !== '-');
  const sections = ['## Sluice\n'];
  if (SCAN_CODE) sections.push(`Scan: exit code ${SCAN_CODE}\n`);
  if (SCAN_CODE && files.length === 0) sections.push('The scan has no findings, so nothing was pushed.\n');
  for (const file of new Set(pushedFiles.length > 0 ? pushedFiles : SCAN_CODE ? files : []))
    sections.push(await countSection(file));
  if (PUSH_CODE) sections.push(`Push: exit code ${PUSH_CODE}\n`);
  if (pushed === undefined) sections.push('The push exited without a result. See the log for the reason.\n');
  else if (pushed.length > 0)
    sections.push(pushSection(pushed), ...changesSection(pushed), ...gateSection(pushed));
  const ids = (pushed ?? []).map(({ ingestion_id }) => ingestion_id).filter((id) => UUID.test(id));
  await appendFile(GITHUB_STEP_SUMMARY, `${sections.join('\n')}\n`);
  await appendFile(GITHUB_OUTPUT, `ingestion-ids=${ids.join(' ')}\n`);
}

await main();
