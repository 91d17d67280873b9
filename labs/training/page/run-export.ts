import { csvLine } from '../../../src/core/reports/csv-line.ts';
import type { CurvePoint } from '../theory/run.ts';
import type { Run } from './use-training.ts';

// `mean`, `max` and `dead` count neurons, `overflowing` is a share of tiles; `CurvePoint` describes them all.
const COLUMNS: readonly (keyof CurvePoint)[] = ['step', 'l1', 'loss', 'accuracy', 'mean', 'max', 'dead', 'overflowing'];

/** The points of a training run as CSV, one per line. */
export function runCsv({ points }: Pick<Run, 'points'>): string {
  return [COLUMNS, ...points.map((point) => COLUMNS.map((name) => point[name]))].map(csvLine).join('');
}

/** A training run as JSON, with its settings, without activations. */
export function runJson({ settings, points, test }: Pick<Run, 'settings' | 'points' | 'test'>): string {
  return `${JSON.stringify({ schema: 1, settings, points, test }, null, 1)}\n`;
}
