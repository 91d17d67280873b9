import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { countText } from '../../../core/text/words.ts';
import { scaleLog } from 'd3-scale';
import { formatColor, type Theme } from '../../../render/index.ts';
import { svgDocument, svgNumber, svgText, wrapped } from '../../../kit/charts/svg-text.ts';
import { shape } from '../../../kit/words/quantity.ts';
import { densityText } from '../../../kit/words/shares.ts';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import { speedText } from '../../../kit/words/speed-of.ts';
import { workText } from '../../../kit/report/operation-words.ts';
import { kernelDetail, type ParamLabels } from '../../../kit/report/report-labels.ts';
import { reportHeadline } from '../../../kit/report/report-headline.ts';
import {
  drawnRatios,
  medianText,
  multiplyAddRate,
  sampleOffset,
  sampleRatios,
  samplesScale,
  speedIn,
  sortedRows,
  tickText,
  type TitleOf,
  quantilesOnly,
} from '../../../kit/report/report-view.ts';
import { perSecond } from '../../../kit/words/rates.ts';

/** Width of the drawing, heights of a kernel's row and of its samples, and both ends of the axis, px. */
const WIDTH = 900;
const ROW = 36;
const SAMPLES_HEIGHT = 14;
const PLOT = { left: 270, right: 650 };
/** Letters per line of the headline, and the height of a line, px. */
const LETTERS = 92;
const LINE = 22;

/** The names of formats and parameters in the drawing. */
interface Names {
  readonly titleOf: TitleOf;
  readonly labelsOf: ParamLabels;
}

/** A report as a standalone SVG drawing: a headline, the speeds of its kernels against dense, and the device. */
export function reportSvg(report: BenchReport, theme: Theme, names: Names): string {
  const rows = sortedRows(report);
  const { domain, ticks } = samplesScale(report);
  const x = scaleLog(domain, [PLOT.left, PLOT.right]);
  const headlineParts = reportHeadline(report, names.titleOf).map((w) => w.text);
  const lines = wrapped(headlineParts.join(''), LETTERS);
  const workY = 32 + lines.length * LINE;
  const top = workY + 30;
  const bottom = top + rows.length * ROW;
  const { workload, environment } = report;
  const device = environment.adapter.description || environment.adapter.vendor || 'unnamed adapter';
  const work = [
    workText(workload),
    shape(workload.rows, workload.cols),
    `${densityText(workload.density)} left`,
    workload.memory,
    ...outputsText(report),
  ];
  const parts = [
    ...lines.map((line, i) => svgText(24, 32 + i * LINE, line, { size: 16, weight: 600 })),
    svgText(24, workY, work.join(' · '), { fill: theme.textMuted }),
    ...ticks.map(
      (tick) =>
        `<line x1="${svgNumber(x(tick))}" x2="${svgNumber(x(tick))}" y1="${top - 6}" y2="${bottom}" stroke="${tick === 1 ? theme.text : theme.hairline}"/>` +
        svgText(x(tick), bottom + 16, tickText(tick), { anchor: 'middle', mono: true, fill: theme.textMuted }),
    ),
    ...rows.map((row, i) => rowSvg(report, row, top + i * ROW + ROW / 2, x, theme, names)),
    svgText(24, bottom + 44, `${device}, ${environment.runtime}, ${report.createdAt.slice(0, 10)}, ${report.app}`, {
      fill: theme.textMuted,
    }),
  ];
  return svgDocument(WIDTH, bottom + 60, theme, parts);
}

function rowSvg(
  report: BenchReport,
  row: BenchRow,
  y: number,
  x: (ratio: number) => number,
  theme: Theme,
  { titleOf, labelsOf }: Names,
): string {
  // Times that are not from a graphics card are grey, with the label 'software' or 'CPU'.
  const mark = substituteOf(report);
  const color = mark === null ? formatColor(theme, row.format) : theme.textQuiet;
  const name =
    `<rect x="24" y="${svgNumber(y - 12)}" width="10" height="10" rx="2" fill="${formatColor(theme, row.format)}"/>` +
    svgText(42, y - 3, titleOf(row.format), { weight: 600 }) +
    svgText(42, y + 12, kernelDetail(row, labelsOf), { size: 12, fill: theme.textMuted });
  if (!row.verified.ok) return name + svgText(PLOT.left, y + 4, 'wrong: not timed', { fill: theme.danger });
  const speed = speedIn(report, row);
  // A ratio below the axis is a triangle at its left end, as on the page.
  const isBelowAxis = speed !== null && x(speed.ratio) < PLOT.left;
  const dots = drawnRatios(isBelowAxis ? [] : sampleRatios(report, row))
    .map((r, round) => {
      const offset = SAMPLES_HEIGHT * sampleOffset(round);
      return `<circle cx="${svgNumber(x(r))}" cy="${svgNumber(y + offset)}" r="1.5" fill="${color}" opacity="0.5"/>`;
    })
    .join('');
  const range = isBelowAxis ? null : quantilesOnly(row);
  const whisker = range
    ? `<path d="M${svgNumber(x(range.p10))} ${svgNumber(y)}H${svgNumber(x(range.p90))}" stroke="${color}" fill="none"/>`
    : '';
  const median = isBelowAxis
    ? `<path d="M${PLOT.left} ${svgNumber(y)}l7 -5v10z" fill="${color}"/>`
    : speed
      ? `<circle cx="${svgNumber(x(speed.ratio))}" cy="${svgNumber(y)}" r="4.5" fill="${color}" stroke="${theme.ground}" stroke-width="1.5"/>`
      : '';
  const rate = multiplyAddRate(row);
  const figures = [
    speed && speedText(speed),
    medianText(report, row),
    rate === null ? null : perSecond(rate, 'FMA'),
    mark,
  ].filter((t) => t !== null);
  return (
    name + dots + whisker + median + svgText(WIDTH - 24, y + 4, figures.join('   '), { anchor: 'end', mono: true })
  );
}

/** How many outputs were compared, if not all. */
function outputsText({ rows }: BenchReport): readonly string[] {
  const verified = rows.at(0)?.verified;
  if (verified?.compared === undefined) return [];
  return [`${countText(verified.compared)} of ${countText(verified.outputs)} outputs compared`];
}
