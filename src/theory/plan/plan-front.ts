/** A way to store a matrix. What was not measured is null and is never estimated. */
interface PlanOption {
  /** unique within its matrix */
  readonly id: string;
  /** measured microseconds of one product */
  readonly us: number | null;
  readonly bytes: number;
  /** measured loss in bits per byte, this matrix alone changed */
  readonly loss: number | null;
}

/** Matrices that are chosen together, such as one kind in one layer; figures of its options are for all of them. */
export interface PlanMatrix {
  readonly id: string;
  readonly options: readonly PlanOption[];
}

/** What is spent: microseconds or bytes. */
export type PlanCost = 'us' | 'bytes';

/** A plan that no other beats in both cost and loss. */
export interface PlanPoint {
  readonly cost: number;
  /** the sum of the losses of its options: that losses add up is an assumption */
  readonly loss: number;
  /** ids of options, one for each matrix, in their order */
  readonly choices: readonly string[];
}

/** All plans worth choosing, by rising cost and falling loss. */
export interface PlanFront {
  readonly points: readonly PlanPoint[];
  /** whether no plan was left out to keep the front short */
  readonly isExact: boolean;
  /** options that could not be chosen, because their cost or loss was not measured */
  readonly unmeasured: readonly { readonly matrix: string; readonly option: string }[];
}

interface Step {
  readonly cost: number;
  readonly loss: number;
  readonly option: string;
  readonly before: Step | null;
}

const MOST_POINTS = 2000;

/**
 * The front of a model, matrix by matrix: plans that another beats are dropped after each, which loses none of the front.
 * Beyond `most` plans they are thinned evenly, and the front says that it is not exact. A matrix of which nothing was
 * measured leaves no plan. `signal` is looked at before each matrix.
 *
 * @throws {RangeError} `most` below 2
 */
export function planFront(
  matrices: readonly PlanMatrix[],
  cost: PlanCost,
  { most = MOST_POINTS, signal }: { readonly most?: number; readonly signal?: { throwIfAborted(): void } } = {},
): PlanFront {
  if (!(most >= 2)) throw new RangeError(`most is ${most}; expected at least 2 plans`);
  const unmeasured: { matrix: string; option: string }[] = [];
  let isExact = true;
  let steps: readonly (Step | null)[] = [null];
  for (const matrix of matrices) {
    signal?.throwIfAborted();
    const next: Step[] = [];
    for (const option of matrix.options) {
      const spent = option[cost];
      const { loss } = option;
      if (spent === null || loss === null) {
        unmeasured.push({ matrix: matrix.id, option: option.id });
        continue;
      }
      for (const before of steps) {
        next.push({
          cost: (before?.cost ?? 0) + spent,
          loss: (before?.loss ?? 0) + loss,
          option: option.id,
          before,
        });
      }
    }
    const kept = unbeaten(next);
    isExact &&= kept.length <= most;
    steps = thinned(kept, most);
  }
  const points = steps.map((step) => ({ cost: step?.cost ?? 0, loss: step?.loss ?? 0, choices: choicesOf(step) }));
  return { points, isExact, unmeasured };
}

/** The plan of least loss that costs at most `budget`; null where none does. */
export function withinCost(front: PlanFront, budget: number): PlanPoint | null {
  return front.points.findLast((point) => point.cost <= budget) ?? null;
}

/** The cheapest plan that loses at most `budget`; null where none does. */
export function withinLoss(front: PlanFront, budget: number): PlanPoint | null {
  return front.points.find((point) => point.loss <= budget) ?? null;
}

function unbeaten(steps: readonly Step[]): readonly Step[] {
  let least = Infinity;
  return steps
    .toSorted((a, b) => a.cost - b.cost || a.loss - b.loss)
    .filter((step) => {
      if (step.loss >= least) return false;
      least = step.loss;
      return true;
    });
}

function thinned(steps: readonly Step[], most: number): readonly Step[] {
  if (steps.length <= most) return steps;
  return Array.from({ length: most }, (_, i) => steps[Math.round((i * (steps.length - 1)) / (most - 1))]);
}

function choicesOf(last: Step | null): readonly string[] {
  const choices: string[] = [];
  for (let step = last; step; step = step.before) choices.push(step.option);
  return choices.toReversed();
}
