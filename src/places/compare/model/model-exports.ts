import type { AnswerExport } from '../../../kit/frame/Answer.tsx';
import { type ChartFigures, figuresCsv } from '../../../kit/charts/chart-csv.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import type { Theme } from '../../../render/theme.ts';
import { modelSvg } from './model-svg.ts';
import { namesOf } from './model-words.ts';
import type { ShownModel } from './shown-model.ts';

/** The answer as files: its shapes as CSV, and everything with the reports behind it as JSON. */
export function modelExports(state: ShownModel, theme: Theme): readonly AnswerExport[] {
  const name = `sparsescope-model-${state.view.model.name.replace(/[^\w.-]+/g, '-')}`;
  return [
    {
      label: 'SVG',
      title: 'Save the bars of shapes and memory as SVG',
      save: () => saveText(`${name}.svg`, modelSvg(state, theme), 'image/svg+xml'),
    },
    {
      label: 'CSV',
      title: 'Save the shapes as CSV',
      save: () => saveText(`${name}.csv`, figuresCsv(shapeFigures(state)), 'text/csv'),
    },
    {
      label: 'JSON',
      title: 'Save the model, its bytes and what was measured as JSON',
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
  const { model, storage, tokens, bytes, lines, dense, stored, limitNs, reads } = view;
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
    readSpeed: reads,
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
