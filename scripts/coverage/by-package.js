// Test reporter that prints the coverage as a Markdown table with one row per package.
const PACKAGE = /\/((?:packages|tools)\/[^/]+)\/src\//;

export default async function* byPackage(events) {
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.message.startsWith('Warning')) yield `${data.message}\n`;
    if (type !== 'test:coverage') continue;
    const packages = new Map();
    for (const file of data.summary.files) {
      const name = PACKAGE.exec(file.path)?.[1];
      if (name !== undefined) packages.set(name, [...(packages.get(name) ?? []), file]);
    }
    yield '| package | files | lines | branches |\n|---|---|---|---|\n';
    for (const [name, files] of [...packages].sort(([a], [b]) => a.localeCompare(b))) {
      yield `| ${name} | ${files.length} | ${formatCoverage(files, 'Line')} | ${formatCoverage(files, 'Branch')} |\n`;
    }
  }
}

function formatCoverage(files, type) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  const covered = sum(`covered${type}Count`);
  const total = sum(`total${type}Count`);
  return `${((100 * covered) / total).toFixed(1)}% of ${total}`;
}
