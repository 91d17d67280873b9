import type { BenchReport } from '../../core/report.ts';
import { formulaOf } from '../../kit/report/operation-words.ts';
import { shape } from '../../kit/words/quantity.ts';
import { patternRows, restOf } from './pattern-rows.ts';

/** Patterns that were measured alike: on one device, by one operation, in one value type, on matrices of one shape. */
export interface MeasuredSetting {
  /** what they have in common, in a line: 'y = A x, f16, 4096 × 4096, cold' */
  readonly title: string;
  /** speed against dense by pattern ('6:8') on the GPU, each from the newest report that has it */
  readonly speeds: ReadonlyMap<string, number>;
}

/**
 * Every setting in which patterns were measured, the newest first. Speeds of different settings are never mixed: an alpha
 * of one says nothing about a pattern of another. `reports`: the newest first.
 */
export function measuredSettings(reports: readonly BenchReport[]): readonly MeasuredSetting[] {
  const settings = new Map<string, { readonly title: string; readonly speeds: Map<string, number> }>();
  for (const { workload, environment, ...report } of reports) {
    for (const { halfGroup, row, ratio } of patternRows({ workload, environment, ...report }, 'gpu')) {
      const { operation, sizes = {}, rows, cols, memory } = workload;
      const key = JSON.stringify([operation, sizes, rows, cols, memory, environment.adapter, restOf(row)]);
      const valueType = String(row.params.valueType);
      const further = Object.entries(sizes).map(([name, value]) => `${value} ${name}`);
      const title = [formulaOf(operation), valueType, shape(rows, cols), ...further, memory].join(', ');
      const setting = settings.get(key) ?? { title, speeds: new Map<string, number>() };
      settings.set(key, setting);
      const pattern = `${2 * halfGroup - 2}:${2 * halfGroup}`;
      if (!setting.speeds.has(pattern)) setting.speeds.set(pattern, ratio);
    }
  }
  return [...settings.values()];
}
