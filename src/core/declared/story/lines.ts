import type { CodeExcerpt } from '../../story/scene.ts';
import type { StoredStep } from './stored-steps.ts';
import type { DeclaredStep } from './trace.ts';

/** The lines that run in steps of each kind. Kinds without lines run where weights are stored. */
export interface StepLines extends Readonly<Partial<Record<Exclude<StoredStep['what'], 'weight'>, CodeExcerpt>>> {
  /** before the first step */
  readonly start: CodeExcerpt;
  readonly weight: CodeExcerpt;
  readonly product: CodeExcerpt;
  readonly sum: CodeExcerpt;
}

/** The lines of code that run in a step; null: before the first. */
export function lineOf(lines: StepLines, step: DeclaredStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return lines.start;
    case 'stored':
      return lines[step.what] ?? lines.weight;
    case 'encoded':
      return lines.bookkeeping ?? lines.weight;
    case 'product':
    case 'zeros':
      return lines.product;
    case 'sum':
    case 'multiplied':
      return lines.sum;
  }
}
