/* Compare's table as files: a drawing, figures for spreadsheets, and JSON for programs. */

import { densityText } from '../../../kit/words/shares.ts';
import { countText } from '../../../core/text/words.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import { type ChartTable, tableCsv } from '../../../kit/charts/chart-csv.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { shareText } from '../../../core/text/rounded.ts';
import { escapeXml } from '../../../kit/charts/svg-text.ts';
import { modelSize } from '../../../kit/words/model-sizes.ts';
import { namesOf } from '../../../theory/models/model-shape.ts';
import { type ComparedFormats, type CompareRow, ROLES } from './compare-row.ts';
import type { RowMeasurement } from './measured-rows.ts';
import { visibleRows, sortedRows } from './table-rows.ts';

/** Saves Compare's table as a drawing, as CSV, or as JSON with all data on its rows. */
export function saveTable(compared: ComparedFormats, kind: 'svg' | 'csv' | 'json'): void {
  const { summary, model } = compared;
  const contents = model
    ? `model-${model.shape.name.replace(/[^\w.-]+/g, '-')}`
    : `formats-${summary.rows}x${summary.cols}`;
  const name = `sparsescope-${contents}.${kind}`;
  if (kind === 'svg') saveText(name, tableSvg(compared, variableValue), 'image/svg+xml');
  else if (kind === 'csv') saveText(name, tableCsv(tableFigures(compared)), 'text/csv');
  else saveText(name, `${JSON.stringify(tableJson(compared), null, 1)}\n`, 'application/json');
}

/** Resolves '--name' or 'var(--name)' to the value of that CSS variable; returns any other colour unchanged. */
function variableValue(color: string): string {
  const name = /^var\((--[\w-]+)/.exec(color)?.[1] ?? color;
  return name.startsWith('--') ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : color;
}

/** The table of the CSV file, the format with the fewest bytes first. */
export function tableFigures({ rows, f16Bytes, summary, level }: ComparedFormats): ChartTable {
  return {
    head: [
      'format',
      'values and parameters',
      'state',
      'bytes',
      'of dense f16',
      ...(level === 'matrix'
        ? [
            'bits per non-zero',
            'padding',
            'encode ms',
            'error, of its bound',
            'speed against dense',
            'p10',
            'p90',
            'of read speed',
          ]
        : ['bytes read for a token', 'pruning needed', 'as small as dense i4 with this left']),
      'ns at least',
      'ns measured',
      'why',
    ],
    rows: sortedRows(rows, 'bytes', false).map((row) => {
      const { bytes, figures, detail, state, format } = row;
      const run = measurementOf(row);
      const speed = run?.speed ?? null;
      const values = [
        detail,
        state,
        bytes,
        bytes === null ? null : bytes / f16Bytes,
        ...(level === 'matrix'
          ? [
              bytes === null || summary.nnz === 0 ? null : (bytes * 8) / summary.nnz,
              paddingShare(row),
              figures?.encodeMs ?? null,
              run?.timedRow.row.verified.worstShare ?? null,
              speed?.ratio ?? null,
              speed?.p10 ?? null,
              speed?.p90 ?? null,
              run?.readShare ?? null,
            ]
          : [row.readBytes ?? null, row.needs, row.evenWithI4 ?? null]),
        row.minNs,
        row.measuredNs,
        row.why,
      ];
      return {
        name: format.title,
        cells: values.map((value) => String(value ?? '')),
        values: [format.title, ...values],
      };
    }),
  };
}

function measurementOf({ figures }: Pick<CompareRow, 'figures'>): RowMeasurement | null {
  return figures?.measurement ?? figures?.verification ?? null;
}

/** The measurement of a row in the JSON file. A and B are the two formats that the page compares. */
function measurementJson(row: CompareRow): unknown {
  const measurement = measurementOf(row);
  if (measurement === null) return null;
  const { timedRow, speed, readShare, isOtherRun } = measurement;
  const { kernel, verified, medianNs } = timedRow.row;
  return {
    kernel,
    verified: verified.ok,
    errorOfBound: verified.worstShare,
    medianNs,
    vsDense: speed,
    ofReadSpeed: readShare,
    inSameRunAsAAndB: isOtherRun !== true,
  };
}

/** Zeros and padding as a share of all bytes; null if only the total is known. */
function paddingShare({ parts, bytes }: Pick<CompareRow, 'parts' | 'bytes'>): number | null {
  if (parts === null || bytes === null) return null;
  return bytes === 0 ? 0 : (parts.find(({ role }) => role === 'padding')?.bytes ?? 0) / bytes;
}

/** The contents of the JSON file: the matrix or model, each row, and statistics or the model's shapes. */
export function tableJson({
  rows,
  summary,
  comparison,
  model,
  density,
  tokens,
  visibleDevice,
  a,
  b,
}: ComparedFormats): unknown {
  const { name, rows: height, cols, nnz } = summary;
  const statistics = comparison?.statistics ?? null;
  return {
    ...(model
      ? {
          model: model.shape,
          fusion: model.fused ? 'fused' : 'separate',
          lmHeadKeptDense: !model.prunesHead,
          contextTokens: model.context,
        }
      : { matrix: { name, rows: height, cols, nnz } }),
    left: density, // the name in the files of version 0.2.0
    tokens,
    device: visibleDevice.device.name,
    formats: rows.map((row) => ({
      format: row.format.id,
      parameters: row.stored.params,
      state: row.state,
      bytes: row.bytes,
      byPurpose: row.parts && Object.fromEntries(row.parts.map(({ role, bytes }) => [role, bytes])),
      why: row.why,
      pruningNeeded: row.needs,
      nanosecondsAtLeast: row.minNs,
      nanosecondsMeasured: row.measuredNs,
      nanosecondsWhole: row.tokenNs, // of a whole token, not of its matrices alone
      smaller: row.bestParams,
      encodeMs: row.figures?.encodeMs ?? null,
      arraysSound: row.figures?.isSound ?? null,
      measured: measurementJson(row),
    })),
    ...(model && {
      shapes: [a, b].flatMap(
        (row) =>
          (row && model.viewOf(row)?.lines)?.map(({ group, dense, stored, denseTime, storedTime, measurement }) => ({
            format: row.format.id,
            layers: namesOf(group),
            rows: group.rows,
            cols: group.cols,
            matrices: group.count,
            keptDense: group.keptDense,
            bytes: { dense, stored },
            nanoseconds: { dense: denseTime?.ns ?? null, stored: storedTime?.ns ?? null },
            report: measurement?.report ?? null,
          })) ?? [],
      ),
    }),
    ...(statistics && {
      statistics: {
        gaps: [...statistics.gaps],
        rowCounts: [...statistics.rowCounts],
        longestRun: statistics.longestRun,
        groups: statistics.groups.map(({ width, counts }) => ({ width, counts: [...counts] })),
        blocks: statistics.blocks,
        shared: { ...statistics.shared, counts: [...statistics.shared.counts] },
      },
    }),
  };
}

/** Heights of a row and of the heading, the left end and the greatest length of a bar, and the width of the drawing, px. */
const ROW = 30;
const HEAD = 64;
const LEFT = 190;
const BAR = 440;
const WIDTH = 780;

/** An SVG image of the rows' bytes as bars; `colorOf` resolves a CSS variable to its value. */
export function tableSvg(compared: ComparedFormats, colorOf: (color: string) => string): string {
  const { f16Bytes, model, summary } = compared;
  const rows = sortedRows(visibleRows(compared, true), 'bytes', false);
  // The longest bar leaves a little of the width free.
  const maxBytes = rows.reduce((largest, row) => Math.max(largest, row.bytes ?? 0), f16Bytes) * 1.02;
  const height = HEAD + rows.length * ROW + 16;
  const text = (x: number, y: number, label: string, attributes = ''): string =>
    `<text x="${x}" y="${y}" font-size="12" font-family="sans-serif" fill="${colorOf('--text')}" ${attributes}>${escapeXml(label)}</text>`;
  const drawnRows = rows.map((row, i) => {
    const y = HEAD + i * ROW;
    const swatch = `<rect x="12" y="${y + 5}" width="9" height="9" fill="${colorOf(cssColorOf(row.format.id))}"/>`;
    const name = swatch + text(28, y + 14, `${row.format.title} ${row.detail}`);
    if (row.state !== 'known' || row.bytes === null) {
      return name + text(LEFT, y + 14, row.state === 'refused' ? 'cannot store it' : '', 'opacity="0.6"');
    }
    let x = LEFT;
    // As on the page, the bar has a single part if the parts of the row are not known.
    const parts = row.parts && row.parts.length > 1 ? row.parts : [{ role: 'kept', bytes: row.bytes } as const];
    const bars = ROLES.map((role) => {
      const width = ((parts.find((part) => part.role === role)?.bytes ?? 0) * BAR) / maxBytes;
      const bar =
        role === 'padding'
          ? `<rect x="${x}" y="${y + 3}" width="${width}" height="14" fill="none" stroke="${colorOf('--text-muted')}" stroke-dasharray="2 2"/>`
          : `<rect x="${x}" y="${y + 3}" width="${width}" height="14" fill="${colorOf(role === 'kept' ? '--neutral' : `--${role}`)}"/>`;
      x += width;
      return width === 0 ? '' : bar;
    });
    const size = model ? modelSize(row.bytes) : countText(Math.round(row.bytes));
    return name + bars.join('') + text(LEFT + BAR + 16, y + 14, `${size}, ${shareText(row.bytes / f16Bytes)}`);
  });
  const f16X = LEFT + (f16Bytes * BAR) / maxBytes;
  const title = model ? `${model.shape.name}, ${densityText(compared.density)} left` : summary.name;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<rect width="${WIDTH}" height="${height}" fill="${colorOf('--ground')}"/>`,
    text(12, 26, title, 'font-weight="600"'),
    text(f16X, HEAD - 8, 'dense f16', 'text-anchor="middle"'),
    `<line x1="${f16X}" x2="${f16X}" y1="${HEAD - 4}" y2="${height - 12}" stroke="${colorOf('--text-muted')}" stroke-dasharray="2 3"/>`,
    ...drawnRows,
    '</svg>\n',
  ].join('\n');
}
