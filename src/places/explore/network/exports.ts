import type { NetworkResult } from '../service/network/types.ts';
import { figuresCsv } from '../../../kit/charts/chart-csv.ts';
import type { Run } from './figures.ts';
import { pruningText } from './plan.ts';

/** Every run as CSV: what ran, its size, how many images it told right, and how long one took. */
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

/** The same as JSON, with every choice in full, its layers, and what was refused. */
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
