import { excerptsOf, kernelFilesOf } from '../code-excerpt.ts';
import type { CodeExcerpt } from '../scene.ts';
import type { StoredStep } from './stored-steps.ts';
import type { DeclaredStep } from './trace.ts';

/** A reference to lines of code: the lines around the comment `// step: MARKER` in a file. */
type CodeRef<File> = readonly [file: File, marker: string];

/** The lines that run in steps of each kind; a kind without lines has the lines of `weight`. */
export interface StepLines<File> extends Readonly<
  Partial<Record<Exclude<StoredStep['what'], 'weight'>, CodeRef<File>>>
> {
  /** before the first step */
  readonly start: CodeRef<File>;
  readonly weight: CodeRef<File>;
  readonly product: CodeRef<File>;
  readonly sum: CodeRef<File>;
}

/** The `code` and `quotes` of a format's story (animation): lines of `sources`, texts by file, that each step runs. */
export function quotedCode<T, File extends string>(
  sources: Readonly<Record<File, string>>,
  linesFor: (t: T) => StepLines<File>,
) {
  const excerpt = excerptsOf(sources);
  const code = (t: T, step: DeclaredStep | null): CodeExcerpt => {
    const [file, marker] = codeRefFor(linesFor(t), step);
    return excerpt(file, marker);
  };
  return { code, quotes: kernelFilesOf(sources) };
}

/** The lines of code that run in a step; null: before the first step. */
function codeRefFor<File>(lines: StepLines<File>, step: DeclaredStep | null): CodeRef<File> {
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
