import type { NetworkResult } from '../../service/network/types.ts';
import { figuresCsv } from '../../../../kit/charts/chart-csv.ts';
import type { Run } from './figures.ts';
import { pruningText } from './plan.ts';

/** Every run as CSV: its choice, its size, its number of right answers, and the time per image. */
export function resultsCsv(runs: readonly Run[]): string {
  return figuresCsv({
    head: [
      'format',
      'values',
      'pruning',
      'layers pruned',
      'products on',
      'density',
      'bytes',
      'images',
      'right',
      'accuracy',
      'median ns per image',
      'p10',
      'p90',
    ],
    rows: runs.map(({ choice, outcome, valueType, accuracy, time }) => ({
      name: choice.format,
      cells: [],
      values: [
        choice.format,
        valueType,
        pruningText(choice.pruning),
        choice.layers,
        choice.where,
        outcome.density,
        outcome.bytes,
        outcome.images,
        outcome.right,
        accuracy,
        time?.median ?? null,
        time?.low ?? null,
        time?.high ?? null,
      ],
    })),
  });
}

/** Every run as JSON, with every choice in full, its layers, and refusals. */
export function resultsJson(runs: readonly Run[], refused: readonly NetworkResult[]): string {
  const ran = runs.map(({ choice, outcome: { layers, bytes, nnz, density, images, right, samplesNs } }) => ({
    choice,
    layers,
    bytes,
    nnz,
    density,
    images,
    right,
    samplesNs,
  }));
  return `${JSON.stringify({ schema: 1, ran, refused }, null, 2)}\n`;
}
