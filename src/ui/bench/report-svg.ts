import { scaleLog } from 'd3-scale';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import { formatColor, FONTS, type Theme } from '../../render/theme.ts';
import { count, ratio as ratioText, shape, time } from '../parts/quantity.ts';
import { workText } from './operation-words.ts';
import {
  fmaRate,
  headline,
  multiplyAddRate,
  ratioScale,
  resolutionNs,
  sampleRatios,
  sortedRows,
  tickText,
  type TitleOf,
} from './report-view.ts';

const WIDTH = 900;
const ROW = 36;
const TOP = 84;
const PLOT = { left: 250, right: 720 };

/** The kernels of a report against dense as a standalone SVG document, with the sentence above and the device below. */
export function reportSvg(report: BenchReport, theme: Theme, titleOf: TitleOf): string {
  const rows = sortedRows(report);
  const { domain, ticks } = ratioScale(rows.flatMap((row) => sampleRatios(report, row)));
  const x = scaleLog(domain, [PLOT.left, PLOT.right]);
  const bottom = TOP + rows.length * ROW;
  const { workload, environment } = report;
  const device = environment.adapter.description || environment.adapter.vendor || 'unnamed adapter';
  const parts = [
    text(
      24,
      32,
      headline(report, titleOf)
        .map((w) => w.text)
        .join(''),
      { size: 16, weight: 600 },
    ),
    text(
      24,
      54,
      `${workText(workload)} · ${shape(workload.rows, workload.cols)} · density ${workload.density.toFixed(3)} · ${workload.memory}${outputsText(report)}`,
      {
        fill: theme.textMuted,
      },
    ),
    ...ticks.map(
      (tick) =>
        `<line x1="${n(x(tick))}" x2="${n(x(tick))}" y1="${TOP - 6}" y2="${bottom}" stroke="${tick === 1 ? theme.text : theme.hairline}"/>` +
        text(x(tick), bottom + 16, tickText(tick), { anchor: 'middle', mono: true, fill: theme.textMuted }),
    ),
    ...rows.map((row, i) => rowSvg(report, row, TOP + i * ROW + ROW / 2, x, theme, titleOf)),
    text(24, bottom + 44, `${device}, ${environment.runtime}, ${report.createdAt.slice(0, 10)}, ${report.app}`, {
      fill: theme.textMuted,
    }),
  ];
  const height = bottom + 60;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" ` +
    `font-family="${escape(FONTS.sans)}" font-size="13" fill="${theme.text}">` +
    `<rect width="100%" height="100%" fill="${theme.ground}"/>${parts.join('')}</svg>\n`
  );
}

function rowSvg(
  report: BenchReport,
  row: BenchRow,
  y: number,
  x: (ratio: number) => number,
  theme: Theme,
  titleOf: TitleOf,
): string {
  const color = formatColor(theme, row.format);
  const name =
    `<rect x="24" y="${n(y - 12)}" width="10" height="10" rx="2" fill="${color}"/>` +
    text(42, y - 3, titleOf(row.format), { weight: 600 }) +
    text(42, y + 12, row.title, { size: 12, fill: theme.textMuted });
  if (!row.verified.ok) return name + text(PLOT.left, y + 4, 'wrong: no time is shown', { fill: theme.danger });
  const dots = sampleRatios(report, row)
    .map((r, round) => {
      const offset = (((round * 0.618034) % 1) - 0.5) * 14;
      return `<circle cx="${n(x(r))}" cy="${n(y + offset)}" r="1.5" fill="${color}" opacity="0.5"/>`;
    })
    .join('');
  const median = row.vsDense
    ? `<circle cx="${n(x(row.vsDense.ratio))}" cy="${n(y)}" r="4.5" fill="${color}" stroke="${theme.ground}" stroke-width="1.5"/>`
    : '';
  const rate = multiplyAddRate(row);
  const figures = [
    row.vsDense ? ratioText(row.vsDense.ratio) : null,
    row.medianNs === null ? 'no time' : time(row.medianNs, resolutionNs(report, row)),
    rate === null ? null : fmaRate(rate),
  ].filter((t) => t !== null);
  return name + dots + median + text(WIDTH - 24, y + 4, figures.join('   '), { anchor: 'end', mono: true });
}

/** How many outputs were looked at, where those are not all. */
function outputsText({ rows }: BenchReport): string {
  const verified = rows[0]?.verified;
  if (verified?.compared === undefined) return '';
  return ` · ${count(verified.compared)} of ${count(verified.outputs)} outputs compared`;
}

interface TextStyle {
  readonly size?: number;
  readonly weight?: number;
  readonly fill?: string;
  readonly anchor?: 'middle' | 'end';
  readonly mono?: boolean;
}

function text(x: number, y: number, words: string, style: TextStyle = {}): string {
  const attributes = [
    style.size === undefined ? '' : ` font-size="${style.size}"`,
    style.weight === undefined ? '' : ` font-weight="${style.weight}"`,
    style.fill === undefined ? '' : ` fill="${style.fill}"`,
    style.anchor === undefined ? '' : ` text-anchor="${style.anchor}"`,
    style.mono ? ` font-family="${escape(FONTS.mono)}"` : '',
  ].join('');
  return `<text x="${n(x)}" y="${n(y)}"${attributes}>${escape(words)}</text>`;
}

function n(v: number): string {
  return String(Number(v.toFixed(2)));
}

function escape(words: string): string {
  return words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
