import type { AnswerExport } from '../../../kit/frame/Answer.tsx';
import { type ChartFigures, figuresCsv } from '../../../kit/charts/chart-csv.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { formatColor, type Theme } from '../../../render/theme.ts';
import { aboutText, namesOf } from './model-words.ts';
import type { ShownModel } from './shown-model.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { svgDocument, svgNumber as n, svgText, wrapped } from '../../../kit/charts/svg-text.ts';
import { bytes, shape } from '../../../kit/words/quantity.ts';
import { layerBars, type ShapeBars, sourcedTimeText } from './layer-bars.ts';
import { limitText } from './model-view.ts';
import { modelSize } from '../../../kit/words/weights.ts';

const WIDTH = 900;
const ROW = 48;
const BARS = { left: 270, right: 600 };
const LETTERS = 96;
const LINE = 22;

/** The title, the bars of all shapes and the memory as a standalone SVG document. */
export function modelSvg(state: Omit<ShownModel, 'params' | 'curve'>, theme: Theme): string {
  const { view, format, title } = state;
  const { byTime, shapes } = layerBars(view);
  const lines = wrapped(aboutText(state), LETTERS);
  const top = 50 + lines.length * LINE;
  const colors = { dense: formatColor(theme, referenceFormat.id), stored: formatColor(theme, format.id) };
  const memory = top + shapes.length * ROW + 30;
  const { dense, stored } = view.bytes;
  const scale = (BARS.right - BARS.left) / Math.max(dense, stored);
  const weights = [
    { name: referenceFormat.title, amount: dense, color: theme.track },
    { name: title, amount: stored, color: colors.stored },
  ];
  const quantity = byTime ? 'time' : 'bytes';
  const foot = `${quantity} of all layers; thin: dense, thick: ${title}${byTime ? `, line: ${limitText(view.isByDispatch)}` : ''}`;
  const parts = [
    ...lines.map((line, i) => svgText(24, 32 + i * LINE, line, { size: 16, weight: 600 })),
    ...shapes.map((bars, i) => shapeSvg(bars, top + i * ROW, byTime, theme, colors)),
    svgText(24, memory - 6, 'Memory, weights alone', { weight: 600 }),
    ...weights.map(({ name, amount, color }, i) => {
      const y = memory + 14 + i * 24;
      return (
        svgText(24, y + 11, name, { fill: theme.textMuted }) +
        `<rect x="${BARS.left}" y="${n(y)}" width="${n(amount * scale)}" height="14" fill="${color}"/>` +
        svgText(BARS.left + amount * scale + 8, y + 11, modelSize(amount), { weight: 600 })
      );
    }),
    svgText(24, memory + 84, foot, { fill: theme.textMuted, size: 12 }),
  ];
  return svgDocument(WIDTH, memory + 100, theme, parts);
}

function shapeSvg(
  { line, dense, stored, tick, ratio }: ShapeBars,
  y: number,
  byTime: boolean,
  theme: Theme,
  colors: { readonly dense: string; readonly stored: string },
): string {
  const { group, denseTaken, storedTaken } = line;
  const width = BARS.right - BARS.left;
  const bar = (share: number, at: number, height: number, color: string, predicted: boolean): string => {
    let from = BARS.left;
    return group.parts
      .map(({ count }) => {
        const part = (share * width * count) / group.count;
        const paint = predicted ? `fill="none" stroke="${color}" stroke-dasharray="3 2"` : `fill="${color}"`;
        const rect = `<rect x="${n(from)}" y="${n(at)}" width="${n(Math.max(0.5, part - 1))}" height="${height}" ${paint}/>`;
        from += part;
        return rect;
      })
      .join('');
  };
  const times = byTime ? [sourcedTimeText(denseTaken), ...(stored ? [sourcedTimeText(storedTaken)] : [])] : [];
  return [
    svgText(24, y + 12, namesOf(group), { weight: 600 }),
    svgText(24, y + 28, `${shape(group.rows, group.cols)} · ${group.count}×`, { fill: theme.textMuted, size: 12 }),
    svgText(BARS.left - 12, y + 12, bytes(line.dense), { anchor: 'end', fill: theme.textMuted, size: 12, mono: true }),
    bar(dense.share, y + 3, stored ? 8 : 13, colors.dense, dense.predicted),
    svgText(BARS.left + dense.share * width + 8, y + 12, dense.text, { size: 12, mono: true }),
    ...(stored
      ? [
          svgText(BARS.left - 12, y + 30, bytes(line.stored), { anchor: 'end', size: 12, mono: true }),
          bar(stored.share, y + 18, 13, colors.stored, stored.predicted),
          svgText(BARS.left + stored.share * width + 8, y + 30, stored.text, { size: 12, mono: true, weight: 600 }),
        ]
      : [svgText(BARS.left, y + 32, 'kept dense', { fill: theme.textMuted, size: 12 })]),
    ...(tick === null
      ? []
      : [`<rect x="${n(BARS.left + tick * width - 1)}" y="${n(y + 15)}" width="2" height="19" fill="${theme.text}"/>`]),
    ...times.map((time, i) => svgText(WIDTH - 90, y + 12 + i * 18, time, { anchor: 'end', size: 12, mono: true })),
    svgText(WIDTH - 24, y + 21, ratio, { anchor: 'end', weight: 600, mono: true }),
  ].join('');
}

/** The answer as files: its shapes as CSV, and everything with the reports behind it as JSON. */
export function modelExports(state: ShownModel, theme: Theme): readonly AnswerExport[] {
  const name = `sparsescope-model-${state.view.model.name.replace(/[^\w.-]+/g, '-')}`;
  return [
    {
      label: 'SVG',
      title: 'Save the bars as SVG',
      save: () => saveText(`${name}.svg`, modelSvg(state, theme), 'image/svg+xml'),
    },
    {
      label: 'CSV',
      title: 'Save the shapes as CSV',
      save: () => saveText(`${name}.csv`, figuresCsv(shapeFigures(state)), 'text/csv'),
    },
    {
      label: 'JSON',
      title: 'Save all as JSON',
      save: () => saveText(`${name}.json`, `${JSON.stringify(modelJson(state), null, 2)}\n`, 'application/json'),
    },
  ];
}

/** A line for each shape: bytes and times of one matrix. */
function shapeFigures({ view }: Pick<ShownModel, 'view'>): ChartFigures {
  return {
    head: ['layers', 'rows', 'columns', 'matrices', 'bytes dense', 'bytes stored', 'ns dense', 'ns stored', 'from'],
    rows: view.lines.map(({ group, dense, stored, denseTaken, storedTaken }) => {
      const values = [
        namesOf(group),
        group.rows,
        group.cols,
        group.count,
        dense,
        Math.round(stored),
        denseTaken?.ns ?? null,
        storedTaken?.ns ?? null,
        storedTaken?.from ?? null,
      ];
      return { name: namesOf(group), cells: values.slice(1).map((value) => String(value ?? '')), values };
    }),
  };
}

/** Everything behind the answer, for programs. */
function modelJson({ view, format, shownParams, curve, device }: ShownModel): unknown {
  const { model, storage, tokens, bytes, lines, dense, stored, limitNs, deviceSpeed } = view;
  const { groups: _, ...sizes } = bytes;
  return {
    model,
    density: storage.density,
    format: format.id,
    params: shownParams,
    fusion: storage.fusion,
    lmHeadKeptDense: storage.keepHead,
    tokens,
    device,
    readSpeed: deviceSpeed,
    bytes: sizes,
    nanoseconds: { dense, stored, limitByBytes: limitNs },
    shapes: lines.map((line) => ({
      layers: namesOf(line.group),
      rows: line.group.rows,
      cols: line.group.cols,
      matrices: line.group.count,
      keptDense: line.group.keptDense,
      bytes: { dense: line.dense, stored: line.stored },
      nanoseconds: { dense: line.denseTaken, stored: line.storedTaken, limitByBytes: line.limitNs },
      refusal: line.refusal,
      report: line.measured?.report ?? null,
    })),
    measuredTokensPerSecond: curve,
  };
}
