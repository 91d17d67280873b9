import { say, strong, type Words } from '../../../../src/core/text/words.ts';
import type { PageStory } from '../../../../src/kit/page-parts.ts';
import { againstDense, curveOf, denseOf, pointName, type QualityPoint } from '../quality/points.ts';

/** The measured quality of a model, presented in steps: one for each pruning and value type. */
export interface QualityStory extends PageStory {
  /** the points that are shown at a step, the newest last */
  shownAt(step: number): readonly QualityPoint[];
}

/** The measurements that a story about a model's quality presents step by step. */
export interface QualityMeasurements extends Pick<PageStory, 'title' | 'description'> {
  readonly points: readonly QualityPoint[];
  /** bits per byte that no model can go below */
  readonly floor: number;
  /** mean bytes of a tale (a short held-out text), for bits per tale */
  readonly bytesPerTale: number;
}

/** The story of the measurements; null if the dense model was not measured. */
export function qualityStory({
  points,
  floor,
  bytesPerTale,
  title,
  description,
}: QualityMeasurements): QualityStory | null {
  const dense = denseOf(points);
  if (!dense) return null;
  const sparse = (way: QualityPoint['method']) => curveOf(points, way).filter((point) => point.method !== 'none');
  const plain = points.filter(({ trained }) => trained === 0);
  const parts = [
    { id: 'wanda', title: 'Wanda', points: sparse('wanda') },
    { id: 'magnitude', title: 'Magnitude', points: sparse('magnitude') },
    { id: 'random', title: 'Random', points: sparse('random') },
    {
      id: 'patterns',
      title: 'N of M',
      points: plain.filter((p) => p.pattern !== null && p.method === 'wanda' && p.valueType === 'f16'),
    },
    { id: 'rounded', title: 'Rounded', points: plain.filter((p) => p.valueType !== 'f16') },
    { id: 'trained', title: 'Trained further', points: points.filter(({ trained }) => trained > 0) },
  ].filter((part) => part.points.length > 0);
  const order = parts.flatMap((part) => part.points);
  let firstStep = 0;
  const chapters = parts.map((part) => {
    const chapter = { id: part.id, title: part.title, firstStep, stepCount: part.points.length };
    firstStep += part.points.length;
    return chapter;
  });
  return {
    title,
    description,
    chapters,
    stepCount: order.length,
    opening: order.length,
    shownAt: (step) => [dense, ...order.slice(0, step)],
    words: (step) =>
      step === 0
        ? say`No model needs fewer than ${floor.toFixed(4)} bits per byte. Dense, this one needs ${strong(dense.bitsPerByte.toFixed(4))}${unbrokenText(dense)}.`
        : pointWords(order[step - 1], dense, bytesPerTale),
  };
}

function pointWords(point: QualityPoint, dense: QualityPoint, bytesPerTale: number): readonly Words[] {
  return say`${strong(pointName(point))}: ${point.bitsPerByte.toFixed(4)} bits per byte${unbrokenText(point)}. That is ${againstDense(point, dense, bytesPerTale)}.`;
}

/** How many of the tales that the model wrote have no error in spelling, grammar or facts (tales/judge.ts). */
function unbrokenText({ judged, unbroken }: QualityPoint): string {
  if (judged === 0) return '';
  return `, and ${unbroken === 0 ? 'none' : unbroken} of ${judged} tales ${unbroken === 1 ? 'is' : 'are'} unbroken`;
}
