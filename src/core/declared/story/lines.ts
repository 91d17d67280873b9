import { excerptsOf, kernelFilesOf } from '../../story/code-excerpt.ts';
import type { CodeExcerpt } from '../../story/scene.ts';
import type { StoredStep } from './stored-steps.ts';
import type { DeclaredStep } from './trace.ts';

/** Lines of a source: those around the comment `// step: MARKER` in a file. */
type Lines<File> = readonly [file: File, marker: string];

/** The lines that run in steps of each kind. Kinds without lines run where weights are stored. */
export interface StepLines<File> extends Readonly<Partial<Record<Exclude<StoredStep['what'], 'weight'>, Lines<File>>>> {
  /** before the first step */
  readonly start: Lines<File>;
  readonly weight: Lines<File>;
  readonly product: Lines<File>;
  readonly sum: Lines<File>;
}

/**
 * The code that a story quotes from `sources`, texts by file: lines of the encoder and, from the first product on, of a
 * kernel.
 */
export function quotedCode<T, File extends string>(
  sources: Readonly<Record<File, string>>,
  linesFor: (t: T) => StepLines<File>,
) {
  const excerpt = excerptsOf(sources);
  const code = (t: T, step: DeclaredStep | null): CodeExcerpt => {
    const [file, marker] = lineOf(linesFor(t), step);
    return excerpt(file, marker);
  };
  return { code, quotes: kernelFilesOf(sources) };
}

/** The lines of code that run in a step; null: before the first. */
function lineOf<File>(lines: StepLines<File>, step: DeclaredStep | null): Lines<File> {
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
