// Writes the job summary and the `ingestion-ids` output. Plain JavaScript, so that it runs with Node 20 or later.
//   node summary.mjs FOLDER [FILE...]
// FOLDER contains push.json, the output of `scanner push --json`, unless nothing was pushed. FILE arguments are the pushed
// files or globs; push.json contains the expanded names. SCAN_CODE and PUSH_CODE are the exit codes, or empty. DRY_RUN is
// `true` if the push was a dry run. INPUT_FAIL_ON is the severity of the gate, or empty.
import { appendFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Larger files are not counted here. The service reports their record counts. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MAX_ERRORS = 10;
/** The maximum number of findings that the scanner lists for a gate. */
const MAX_LISTED = 10;

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

function pushSection(pushed, isDryRun) {
  const rows = pushed.map(({ file, ingestion_id, status, summary, scans_url, problem }) => [
    escapeText(path.basename(String(file))),
    ingestion_id === null ? '' : `\`${escapeText(ingestion_id)}\``,
    escapeText(problem?.message ?? status ?? ''),
    summary?.processed ?? '',
    summary?.invalid ?? '',
    isDryRun ? '' : link('scans', scans_url),
  ]);
  const head = ['File', 'Ingestion job', 'Result', 'Processed', 'Invalid', 'Link'];
  const errors = pushed.flatMap((entry) => entry.errors ?? []);
  const shown = errors.slice(0, MAX_ERRORS).map(({ code, detail, pointer, record_index }) => {
    const location = [record_index == null ? '' : `record ${record_index}`, pointer ?? ''].filter(Boolean);
    return `- ${[escapeText(code), escapeText(detail), escapeText(location.join(', '))].filter(Boolean).join(': ')}\n`;
  });
  const warnings = pushed
    .flatMap((entry) => entry.warnings ?? [])
    .map(({ code, detail }) => `Warning: ${escapeText(detail)} (${escapeText(code)})\n`);
  return [
    table(head, rows),
    ...warnings,
    shown.length === 0 ? '' : `First errors:\n\n${shown.join('')}`,
  ].join('\n');
}

const CHANGES = ['new', 'reopened', 'regressed', 'fixed', 'unchanged', 'resolved', 'newly_failed'];

/** How each file changed findings, or would change them; empty if that is unknown for all files. */
function changesSection(pushed, isDryRun) {
  const rows = pushed.flatMap(({ file, findings, dry_run }) => {
    // The counts of a dry run are in its report.
    const changes = isDryRun ? dry_run?.findings : findings;
    if (changes == null) return [];
    const counts = CHANGES.map((change) =>
      Object.values(changes[change] ?? {}).reduce((sum, count) => sum + Number(count), 0),
    );
    const accounts = isDryRun ? [Number(dry_run.new_providers?.total ?? 0)] : [];
    return [[escapeText(path.basename(String(file))), ...counts, ...accounts]];
  });
  if (rows.length === 0) return [];
  const head = ['File', 'New', 'Reopened', 'Regressed', 'Fixed', 'Unchanged', 'Resolved', 'Newly failed'];
  if (!isDryRun) return [table(head, rows)];
  return [`The push would have these effects:\n\n${table([...head, 'New billed accounts'], rows)}`];
}

/** Why the scan declared no coverage; empty if it declared one, or if the scanner is too old to report it. */
async function coverageSection(folder) {
  try {
    const reason = JSON.parse(await readFile(path.join(folder, 'scan.json'), 'utf8'))?.coverage_reason;
    if (typeof reason !== 'string') return [];
    return [`Coverage: partial, so no findings are resolved: ${escapeText(reason)}\n`];
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    if (error instanceof SyntaxError)
      return ['Coverage: partial, so no findings are resolved: scan.json is not valid JSON\n'];
    throw error;
  }
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
      if (result === 'failed' && reason == null && rows.length < Math.min(Number(count), MAX_LISTED))
        details.push('findings that no longer fail, or that are now muted or resolved, are not listed');
      const head = ['Severity', 'Check', 'Resource', 'Account', 'Link'];
      return `Gate for ${details.filter(Boolean).join('; ')}\n${rows.length === 0 ? '' : `\n${table(head, rows)}`}`;
    });
}

async function main() {
  const [folder, ...files] = process.argv.slice(2);
  const { SCAN_CODE, PUSH_CODE, INPUT_FAIL_ON, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = process.env;
  const isDryRun = process.env.DRY_RUN === 'true';
  const pushed = await readPushResults(folder);
  const pushedFiles = (pushed ?? []).map(({ file }) => file).filter((file) => file !== '-');
  const sections = ['## Sluice\n'];
  if (SCAN_CODE) sections.push(`Scan: exit code ${SCAN_CODE}\n`);
  if (SCAN_CODE && files.length === 0) sections.push('The scan has no findings, so nothing was pushed.\n');
  if (!PUSH_CODE && INPUT_FAIL_ON) sections.push('The gate was not evaluated, because nothing was pushed.\n');
  for (const file of new Set(pushedFiles.length > 0 ? pushedFiles : SCAN_CODE ? files : []))
    sections.push(await countSection(file));
  if (PUSH_CODE && isDryRun)
    sections.push(`Dry run: exit code ${PUSH_CODE}. Nothing was ingested or billed.\n`);
  else if (PUSH_CODE) sections.push(`Push: exit code ${PUSH_CODE}\n`);
  if (PUSH_CODE && SCAN_CODE) sections.push(...(await coverageSection(folder)));
  if (pushed === undefined) sections.push('The push exited without a result. See the log for the reason.\n');
  else if (pushed.length > 0)
    sections.push(pushSection(pushed, isDryRun), ...changesSection(pushed, isDryRun), ...gateSection(pushed));
  const ids = (pushed ?? []).map(({ ingestion_id }) => ingestion_id).filter((id) => UUID.test(id));
  await appendFile(GITHUB_STEP_SUMMARY, `${sections.join('\n')}\n`);
  await appendFile(GITHUB_OUTPUT, `ingestion-ids=${ids.join(' ')}\n`);
}

await main();
