import { excerptsOf, kernelFilesOf } from '../code-excerpt.ts';
import type { CodeExcerpt } from '../scene.ts';
import type { StoredStep } from './stored-steps.ts';
import type { DeclaredStep } from './trace.ts';

/** Lines of code: those around the comment `// step: MARKER` in a file. */
type Lines<File> = readonly [file: File, marker: string];

/** The lines that run in steps of each kind; a kind without lines has the lines of `weight`. */
export interface StepLines<File> extends Readonly<Partial<Record<Exclude<StoredStep['what'], 'weight'>, Lines<File>>>> {
  /** before the first step */
  readonly start: Lines<File>;
  readonly weight: Lines<File>;
  readonly product: Lines<File>;
  readonly sum: Lines<File>;
}

/** The `code` and `quotes` of a format's story (animation): lines of `sources`, texts by file, that each step runs. */
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
