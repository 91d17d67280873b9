import { say, strong } from '../../../../core/story/words.ts';
import type { Words } from '../../../../core/story/scene.ts';
import { median, quantile } from '../../../../core/number/statistics.ts';
import type { NetworkChoice, NetworkOutcome, NetworkResult } from '../../service/network/types.ts';
import { bytes as bytesText, percent, density as densityText } from '../../../../kit/words/quantity.ts';
import { isQuantised, pruningText, type Way } from './plan.ts';

/** A network that ran, with its figures for charts and tables. */
export interface Run {
  readonly choice: NetworkChoice;
  readonly outcome: NetworkOutcome;
  /** null: unpruned */
  readonly way: Way | null;
  readonly valueType: string;
  /** share of images classified correctly */
  readonly accuracy: number;
  /** ns per image: median, and the tenth and ninetieth percentile; null if times mean nothing */
  readonly time: { readonly median: number; readonly low: number; readonly high: number } | null;
}

/** One line: a format with a value type and a way of pruning, by rising density. */
export interface RunLine {
  readonly id: string;
  readonly format: string;
  readonly valueType: string;
  readonly way: Way | null;
  readonly runs: readonly Run[];
}

/** The run of a result; null if the format refused. */
export function runOf(result: NetworkResult): Run | null {
  if (result.kind !== 'ran') return null;
  const { choice, samplesNs } = result;
  return {
    choice,
    outcome: result,
    way: choice.pruning?.way ?? null,
    valueType: typeof choice.params.valueType === 'string' ? choice.params.valueType : '',
    accuracy: result.right / result.images,
    time:
      samplesNs.length === 0
        ? null
        : { median: median(samplesNs), low: quantile(samplesNs, 0.1), high: quantile(samplesNs, 0.9) },
  };
}

/** Runs grouped by format, value type and way of pruning, each line by rising density, in order of first appearance. */
export function linesOf(runs: readonly Run[]): readonly RunLine[] {
  const lines = new Map<string, RunLine>();
  for (const run of runs) {
    const { format } = run.choice;
    const id = `${format} ${run.valueType} ${run.way}`;
    const before = lines.get(id)?.runs ?? [];
    lines.set(id, { id, format, valueType: run.valueType, way: run.way, runs: [...before, run] });
  }
  return [...lines.values()].map((line) => ({
    ...line,
    runs: line.runs.toSorted((a, b) => a.outcome.density - b.outcome.density),
  }));
}

/** Share of images classified wrongly, at least half an image, for the logarithmic axis. */
export function errorShare({ accuracy, outcome }: Run): number {
  return Math.max(1 - accuracy, 0.5 / outcome.images);
}

/** The run of each line nearest to a density; N:M and the whole network count by the share they keep. */
export function nearest(lines: readonly RunLine[], density: number): readonly Run[] {
  return lines.map(({ runs }) =>
    runs.reduce((a, b) => (Math.abs(b.outcome.density - density) < Math.abs(a.outcome.density - density) ? b : a)),
  );
}

/** A loss of accuracy worth mentioning. */
const TOLERATED = 0.01;

/** The smallest run whose accuracy is at most a point below the whole network's; null if there is none. */
export function smallestGood(runs: readonly Run[], whole: Run): Run | null {
  return runs
    .filter((run) => run.accuracy >= whole.accuracy - TOLERATED)
    .reduce<Run | null>((best, run) => (best === null || run.outcome.bytes < best.outcome.bytes ? run : best), null);
}

/** A run in words: 'MACKO with i8, Wanda 0.20'. */
function runText({ choice, valueType }: Run, titleOf: (format: string) => string, base: string): string {
  const stored = `${titleOf(choice.format)}${valueType === base ? '' : ` with ${valueType}`}`;
  return choice.pruning === null ? `${stored}, not pruned` : `${stored}, ${pruningText(choice.pruning)}`;
}

/**
 * The answer: the smallest within a point of the whole network's accuracy, of pruned, quantised and both. `whole` is
 * the network as trained, in 16 bits.
 */
export function answerWords(
  runs: readonly Run[],
  whole: Run | null,
  titleOf: (format: string) => string,
): readonly Words[] {
  if (whole === null) {
    return say`What does pruning cost? A network that reads digits is run on its test images, density by density.`;
  }
  const base = whole.valueType;
  const share = (run: Run): string => percent(run.outcome.bytes / whole.outcome.bytes, 0);
  const pruned = smallestGood(
    runs.filter((r) => r.way !== null && !isQuantised(r.valueType)),
    whole,
  );
  const quantised = smallestGood(
    runs.filter((r) => r.way === null && isQuantised(r.valueType)),
    whole,
  );
  const both = smallestGood(
    runs.filter((r) => r.way !== null && isQuantised(r.valueType)),
    whole,
  );
  const best = [pruned, quantised, both].reduce((a, b) =>
    b !== null && (a === null || b.outcome.bytes < a.outcome.bytes) ? b : a,
  );
  const wholeText = percent(whole.accuracy, 2);
  if (best === null)
    return say`The whole network recognises ${strong(wholeText)} of its test images; nothing smaller has come within a point of that so far.`;
  const rivals = [
    ...(quantised === null || quantised === best
      ? []
      : [`quantised only, to ${quantised.valueType}, it is ${share(quantised)}`]),
    ...(pruned === null || pruned === best
      ? []
      : [`pruned only, to density ${densityText(pruned.outcome.density, 2)}, ${share(pruned)}`]),
    ...(both === null || both === best ? [] : [`pruned and with ${both.valueType} values, ${share(both)}`]),
  ];
  const rest = rivals.length === 0 ? '.' : `; ${rivals.join('; ')}.`;
  return say`Within a point of the whole network’s ${wholeText}, the smallest is ${strong(`${runText(best, titleOf, base)}: ${bytesText(best.outcome.bytes)}, ${share(best)} of dense ${base}`)}${rest}`;
}

/** Images to which one network gives another answer than the whole one, in order. */
export function changedAnswers(
  run: Run,
  whole: Run,
): readonly { readonly image: number; readonly before: number; readonly after: number }[] {
  const before = whole.outcome.answers;
  const changed: { readonly image: number; readonly before: number; readonly after: number }[] = [];
  for (const [image, after] of run.outcome.answers.entries()) {
    if (image < before.length && before[image] !== after) changed.push({ image, before: before[image], after });
  }
  return changed;
}
