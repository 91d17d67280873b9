import type { Words } from '../../../src/core/text/words.ts';
import { capitalised, counted, countText, say, strong } from '../../../src/core/text/words.ts';
import { referenceFormat } from '../../../src/formats/catalog.ts';
import { ratio, time } from '../../../src/kit/words/quantity.ts';
import { speedFromTimes } from '../../../src/kit/words/speed-of.ts';
import { type StepPoint, type StepRun, stepNs, stepRatio, stepCrossover } from '../theory/step.ts';

/** The text about a measured training step: which format is faster, and at how many non-zeros that changes. */
export function stepWords({ points }: StepRun, point: StepPoint | undefined, title: string): readonly Words[] {
  const speedup = point && stepRatio(point);
  if (!point || speedup === null || speedup === undefined) {
    const reasons = Object.entries(point?.parts ?? {}).flatMap(([part, { untimed }]) =>
      untimed === undefined ? [] : say` ${capitalised(part)}: ${strong(untimed)}.`,
    );
    return [...say`Not measured as a whole.`, ...reasons];
  }
  const [dense, sparse] = [stepNs(point, 'reference') ?? 0, stepNs(point, 'sparse') ?? 0];
  const winner = speedup > 1 ? title : referenceFormat.title;
  const gain = ratio(speedFromTimes(Math.min(dense, sparse), Math.max(dense, sparse)).ratio);
  return [
    ...say`With ${countText(point.mean)} non-zeros per token, ${strong(`${winner} is faster, ${gain}`)}: a step needs ${time(sparse)} in ${title}, ${time(dense)} dense. `,
    { text: crossoverText(points, title) },
  ];
}

function crossoverText(points: readonly StepPoint[], title: string): string {
  const { below, from } = stepCrossover(points);
  if (from === null) return `Up to ${countText(below ?? 0)}, ${title} stays faster.`;
  if (below === null) return `Dense was faster from ${countText(from)} on.`;
  return `It turns between ${countText(below)} and ${countText(from)}.`;
}

/** States that the step ran again, since arrays of the sparse format were too small; null if it did not. */
export function overflowText({ attempts, kept }: StepPoint, bytesText: (bytes: number) => string): string | null {
  const failed = attempts.length - 1;
  if (failed === 0) return null;
  const bytes = `${bytesText(kept.sparseAtFirst)} became ${bytesText(kept.sparse)}`;
  return `Run again in larger arrays, ${counted(failed, 'time')}: ${bytes}.`;
}
