import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { severityLabel } from '../../../components/badges.tsx';
import { SEVERITIES, type Severity } from '../../../lib/api/types.ts';
import { formatCount, formatShortCount } from '../../../lib/format-number.ts';
import { formatUtcDay } from '../../../lib/format-time.ts';
import { watchTheme } from '../../../lib/theme.ts';
import { resolveColor } from '../../../lib/theme-color.ts';
import type { TrendDay } from '../api/get-trend.ts';
import styles from './failing-chart.module.css';

/** In CSS pixels. */
const HEIGHT = 240;
const BAR_SHARE = 0.72;
const BAR_MAX_WIDTH = 40;
const DAY_S = 86_400;

/**
 * Daily bars, stacked by severity with the most severe at the bottom. Hidden from screen readers, because the same data
 * is available as a sentence and as a table.
 */
export default function FailingChart({ days }: { readonly days: readonly TrendDay[] }) {
  const container = useRef<HTMLDivElement>(null);
  const [hoveredIndex, setHoveredIndex] = useState<number>();
  const shown = listSeverities(days);
  const day = days[hoveredIndex ?? days.length - 1];

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    let chart = draw(element, days, setHoveredIndex);
    const redraw = () => {
      chart.destroy();
      chart = draw(element, days, setHoveredIndex);
    };
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    const unwatch = watchTheme(redraw);
    return () => {
      unwatch();
      resize.disconnect();
      chart.destroy();
    };
  }, [days]);

  return (
    <div aria-hidden="true">
      <div ref={container} className={styles.chart} />
      <div className={styles.legend}>
        <span className={styles.day}>{day && formatUtcDay(day.date)}</span>
        {shown.map((name) => (
          <span key={name} className={styles.entry}>
            <span className={styles.swatch} style={{ background: `var(--severity-${name})` }} />
            {severityLabel(name)}
            <strong>{formatCount(day?.failed_by_severity[name] ?? 0)}</strong>
          </span>
        ))}
      </div>
    </div>
  );
}

/** The severities that occur on any day, most severe first. */
function listSeverities(days: readonly TrendDay[]): readonly Severity[] {
  return SEVERITIES.filter((name) => days.some((day) => (day.failed_by_severity[name] ?? 0) > 0));
}

function draw(
  element: HTMLElement,
  days: readonly TrendDay[],
  onPoint: (index: number | undefined) => void,
): uPlot {
  const shown = listSeverities(days);
  const color = (name: string) => resolveColor(element, name);
  const axis: uPlot.Axis = {
    stroke: color('--dim'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  // Draws the full stack first, then smaller stacks over it, each without the topmost part of the previous stack.
  const stacks = shown.map((_, index) => shown.slice(0, shown.length - index));
  const series = stacks.map((stack): uPlot.Series => {
    const fill = color(`--severity-${stack.at(-1)}`);
    return { fill, stroke: fill, width: 0, points: { show: false }, paths: bars() };
  });
  const heights = stacks.map((stack) =>
    days.map((day) => stack.reduce((sum, name) => sum + (day.failed_by_severity[name] ?? 0), 0)),
  );
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      padding: [12, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        // Adds half a day on both sides, so that the outer bars are not clipped.
        x: { range: (_, from, to) => [from - DAY_S / 2, to + DAY_S / 2] },
        y: { range: (_, __, to) => [0, Math.max(to * 1.05, 1)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          values: (_, splits) => splits.map((at) => formatUtcDay(at * 1000)),
          space: 90,
        },
        { ...axis, values: (_, splits) => splits.map(formatAxisLabel), size: 48 },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      series: [{}, ...series],
      hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
    },
    [days.map(({ date }) => Date.parse(date) / 1000), ...heights],
    element,
  );
}

/** Omits fractional labels, because counts are integers. */
function formatAxisLabel(count: number): string {
  return Number.isInteger(count) ? formatShortCount(count) : '';
}

function bars(): uPlot.Series.PathBuilder {
  const build = uPlot.paths.bars;
  if (build === undefined) throw new Error('This uPlot build does not support bar charts');
  return build({ size: [BAR_SHARE, BAR_MAX_WIDTH] });
}
