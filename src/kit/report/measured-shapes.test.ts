import { expect, it } from 'vitest';
import { modelReport } from '../../../test/model-reports.ts';
import type { BenchReport } from '../../core/report.ts';
import { hasTimes, type ShapeQuery, measuredDensities, measuredShape } from './measured-shapes.ts';

const report = modelReport(4096, 4096, 0.5, [90, 60]);
const card: BenchReport = { ...report, workload: { ...report.workload, memory: 'cold' } };
const software: BenchReport = { ...card, environment: { ...card.environment, isFallback: true } };
const shape = { rows: 4096, cols: 4096, keptDense: false };
const stored = card.rows.find(({ format }) => format !== 'dense');
const style: ShapeQuery = {
  operation: 'spmv',
  tokens: 1,
  stored: { format: stored?.format ?? '', params: stored?.params ?? {} },
  dense: { format: 'dense', params: {} },
  hasKernel: true,
  device: 'any',
};

it('a model has times of cards, and never of a software adapter', () => {
  expect(hasTimes([card], [shape], style)).toBe(true);
  expect(measuredShape([card], shape, { ...style, density: 0.5 })?.report).toBe(card);
  expect([measuredDensities([card], shape, style), hasTimes([software], [shape], style)]).toEqual([[0.5], false]);
  expect(measuredShape([software, card], shape, { ...style, density: 0.5 })?.report).toBe(card);
  expect(measuredDensities([software], shape, style)).toEqual([]);
});
