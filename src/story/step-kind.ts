import { type NamedArray, namedArrays } from '../core/encoded/encoded.ts';
import type { CodeExcerpt } from './scene.ts';
import type { Trace, TraceStep } from './trace.ts';

/**
 * Events of steps that end a row in memory, or the sums of rows of y. A format gives names of its own to other events,
 * which it does not do for every non-zero: 'padding', 'overflow'.
 */
export const ENDING_EVENTS: readonly string[] = ['row end', 'sum'];

/** The kind of a step of a story. By it, frame-steps.ts chooses frames, the steps at which the player rests. */
export interface StepKind {
  /** a few words: 'row ends' */
  readonly name: string;
  /** one of ENDING_EVENTS, or the format's own; not 'step' or 'fold', by which frame-steps.ts names other frames */
  readonly event?: string;
  /** the lines of code that its scene quotes */
  readonly code: CodeExcerpt | null;
  /** a non-zero for which the step stores something, if only a later step visits the non-zero */
  readonly cell?: { readonly row: number; readonly col: number };
}

/** The kind of a step as a story declares it: without lines of code. */
export type StepName = Omit<StepKind, 'code'>;

/** A trace with the members of its story that the choice of frames needs. */
export interface TracedStory<D = unknown> {
  readonly story: {
    kindOf?(t: Trace<D>, step: D): StepKind;
  };
  readonly trace: Trace<D>;
}

/** A step with all that the choice of frames needs. */
export interface SurveyedStep {
  readonly kind: StepKind;
  /** whether it visits a non-zero */
  readonly visits: boolean;
  /** how many steps before it have the same name */
  readonly earlierOfSameKind: number;
  /** total bytes that the steps with its name, its quoted lines and its number of stored elements fill */
  readonly kindTotals: { readonly bytes: number };
}

/** Every step with its kind, the number of earlier steps of its name, and the bytes of similar steps. O(effects). */
export function surveySteps({ story, trace }: TracedStory): readonly SurveyedStep[] {
  const stepsByName = new Map<string, number>();
  const totalsByCode = new Map<CodeExcerpt | null, Map<string, { bytes: number }>>();
  const bytesOf = elementBytes(trace);
  return trace.steps.map((step) => {
    const kind = story.kindOf?.(trace, step.detail) ?? kindByEffects(step);
    let storedCount = 0;
    let bytes = 0;
    let visits = false;
    for (const effect of step.effects) {
      if (effect.kind === 'visit') visits = true;
      if (effect.kind !== 'store') continue;
      storedCount++;
      bytes += bytesOf(effect.array, effect.index);
    }
    // Each excerpt is one object, so that it can be a key.
    let totals = totalsByCode.get(kind.code);
    if (!totals) totalsByCode.set(kind.code, (totals = new Map()));
    const key = `${storedCount} ${kind.name}`;
    let kindTotals = totals.get(key);
    if (!kindTotals) totals.set(key, (kindTotals = { bytes: 0 }));
    kindTotals.bytes += bytes;
    const earlierOfSameKind = stepsByName.get(kind.name) ?? 0;
    stepsByName.set(kind.name, earlierOfSameKind + 1);
    return { kind, visits, earlierOfSameKind, kindTotals };
  });
}

/**
 * Returns a function that counts the bytes of stored elements once: an element's bytes at its first call, then 0 (a
 * word of bits is stored again for each of its bits).
 */
function elementBytes({ encoded }: Trace): (array: string, index: number) => number {
  const arrays = new Map<string, { readonly array: NamedArray; readonly stored: Uint8Array }>();
  for (const [name, array] of namedArrays(Object(encoded))) {
    arrays.set(name, { array, stored: new Uint8Array(array.length) });
  }
  return (name, index) => {
    const entry = arrays.get(name);
    if (!entry || entry.stored[index] !== 0) return 0;
    entry.stored[index] = 1;
    return entry.array.BYTES_PER_ELEMENT;
  };
}

/** The kind of a step whose story declares none. */
function kindByEffects({ effects }: TraceStep): StepKind {
  const kinds = new Set(effects.map(({ kind }) => kind));
  if (kinds.has('visit')) return { name: 'non-zero', code: null };
  if (kinds.has('store')) {
    const arrays = new Set(effects.flatMap((effect) => (effect.kind === 'store' ? [effect.array] : [])));
    return { name: [...arrays].join(' and '), code: null };
  }
  return { name: kinds.has('accumulate') ? 'products' : 'step', code: null };
}
