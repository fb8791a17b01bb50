import assert from 'node:assert/strict';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Scraped metrics. */
export interface Scraped {
  readonly families: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /** Returns the sum of the samples with this name and at least these labels; `undefined` if no sample matches. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
}

/** Standard metric names of all processes and of Node.js processes. */
const NAME = /^(?:sluice|process|nodejs)_[a-z0-9_]+$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/gy;
/** Units that the Prometheus linter does not accept as base units. */
const NOT_BASE = /_(?:ms|milliseconds|minutes|hours|kilobytes|megabytes|mib)(?:_|$)/;

/**
 * Parses the text format (version 0.0.4) more strictly than Prometheus: HELP and TYPE must appear once before the
 * samples of each family, series must be unique, names must have the Sluice prefix or a standard prefix, counters must
 * end in `_total`, and histograms must add up.
 */
function readPrometheus(text: string): Scraped {
  assert.ok(text.endsWith('\n'), 'the last line has no line break');
  const families = new Map<string, string>();
  const described = new Set<string>();
  const series = new Set<string>();
  const samples: Sample[] = [];
  let family = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      assert.ok(!described.has(name), `HELP of ${name} is repeated`);
      assert.match(name, NAME);
      assert.doesNotMatch(name, NOT_BASE);
      described.add(name);
      family = name;
    } else if (keyword === 'TYPE') {
      assert.equal(name, family, 'TYPE does not follow the HELP of the same metric');
      assert.ok(!families.has(name), `TYPE of ${name} is repeated`);
      assert.equal(name.endsWith('_total'), rest === 'counter', `${name} is a ${rest}`);
      families.set(name, rest);
    } else {
      const sample = readSample(line);
      const suffix = sample.name.slice(family.length);
      const allowed = SUFFIXES[families.get(family) ?? ''] ?? [];
      assert.ok(sample.name.startsWith(family) && allowed.includes(suffix), `${line} belongs to no metric`);
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
      assert.ok(!series.has(key), `${line} appears twice`);
      series.add(key);
      samples.push(sample);
    }
  }
  assert.deepEqual([...described], [...families.keys()]);
  assertHistograms(families, samples);
  const value: Scraped['value'] = (name, labels = {}) => {
    const matching = samples.filter((sample) => sample.name === name && has(sample, labels));
    return matching.length === 0 ? undefined : matching.reduce((sum, sample) => sum + sample.value, 0);
  };
  return { families, samples, value };
}

/** Scrapes and parses the metrics. */
export async function scrape(url: string): Promise<Scraped> {
  const response = await fetch(`${url}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4; charset=utf-8$/);
  return readPrometheus(await response.text());
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

function has({ labels }: Sample, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

function readSample(line: string): Sample {
  const [, name = '', inner = '', number = ''] = SAMPLE.exec(line) ?? assert.fail(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  let read = 0;
  for (const [whole, label = '', value = ''] of inner.matchAll(LABEL)) {
    assert.ok(!(label in labels), `${line}: a label is repeated`);
    labels[label] = value;
    read += whole.length;
  }
  assert.equal(read, inner.length, `not labels: ${inner}`);
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  // Without samples, Node.js has no mean event loop lag, so two scrapes in quick succession export `Nan`, which
  // Prometheus accepts.
  assert.ok(!Number.isNaN(value) || number === 'Nan', `${line}: not a number`);
  return { name, labels, value };
}

/** Asserts that buckets never decrease, and that the last bucket (+Inf) equals the count. */
function assertHistograms(families: ReadonlyMap<string, string>, samples: readonly Sample[]): void {
  for (const [family, type] of families) {
    if (type !== 'histogram') continue;
    for (const total of samples.filter(({ name }) => name === `${family}_count`)) {
      const buckets = samples.filter((one) => one.name === `${family}_bucket` && has(one, total.labels));
      const counts = buckets.map(({ value }) => value);
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
        family,
      );
      assert.equal(buckets.at(-1)?.labels.le, '+Inf', family);
      assert.equal(counts.at(-1), total.value, family);
    }
  }
}
