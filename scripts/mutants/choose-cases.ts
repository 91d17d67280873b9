/**
 * Chooses the cases of a kernel that `npm test` runs (src/formats/kernel-cases.json): a set that finds every mutant of its
 * shaders that any case finds, and tries as many shapes and values of parameters as possible in its time.
 */

/** Minimum number of cases of a kernel, so that they also find faults that no mutant has. */
const MIN_CASES = 2;
const LAWS = {
  'agrees with the oracle, as closely as it is pinned to': 'agrees',
  'keeps what is not finite in x[0] to the rows that touch column 0': 'notFinite',
} as const;

type Law = (typeof LAWS)[keyof typeof LAWS];

/** A test of law 6: a kernel on matrices of a shape, with parameters. */
export interface KernelCase {
  readonly kernel: string;
  readonly law: Law;
  /** shape and parameters */
  readonly title: string;
  readonly ms: number;
}

/** The titles of the chosen cases by law. */
export type ChosenCases = Readonly<Record<Law, readonly string[]>>;

/** Parses a test of law 6 as a case. `names`: of its groups and of the test. Null for other tests of that law. */
export function kernelCase(names: readonly string[], ms: number): KernelCase | null {
  const [, group, name = ''] = names;
  if (!Object.hasOwn(LAWS, group)) return null;
  const colon = name.indexOf(': ');
  return { kernel: name.slice(0, colon), law: LAWS[group as keyof typeof LAWS], title: name.slice(colon + 2), ms };
}

/** Chooses from the cases of one kernel. `mutants`: for each mutant, the cases that find it. */
export function chooseCases(cases: readonly KernelCase[], mutants: readonly (readonly KernelCase[])[]): ChosenCases {
  const casesOf = (law: Law): readonly KernelCase[] => cases.filter((item) => item.law === law);
  const agrees = cover(casesOf('agrees'), mutants, MIN_CASES, () => false);
  // The remaining mutants are found only with non-finite numbers. Preferred are shapes whose pipelines are compiled already.
  const remaining = mutants.filter((finders) => !finders.some((item) => agrees.includes(item)));
  const compiled = new Set(agrees.map(({ title }) => title));
  const notFinite = cover(casesOf('notFinite'), remaining, 1, ({ title }) => compiled.has(title));
  return { agrees: agrees.map(({ title }) => title), notFinite: notFinite.map(({ title }) => title) };
}

/**
 * At least `minCases` cases, if there are as many, that together find all mutants that any of them finds. Chosen one by one:
 * first the one that finds most of the remaining mutants, then the one that tries most new things for its time.
 */
function cover(
  cases: readonly KernelCase[],
  mutants: readonly (readonly KernelCase[])[],
  minCases: number,
  isPreferred: (candidate: KernelCase) => boolean,
): readonly KernelCase[] {
  const taken: KernelCase[] = [];
  const tried = new Set<string>();
  let remaining = mutants.filter((finders) => finders.some((item) => cases.includes(item)));
  while (taken.length < cases.length && (remaining.length > 0 || taken.length < minCases)) {
    const scored = cases
      .filter((candidate) => !taken.includes(candidate))
      .map((candidate) => ({
        candidate,
        finds: remaining.filter((finders) => finders.includes(candidate)).length,
        preferred: isPreferred(candidate) ? 1 : 0,
        // New shapes and values of parameters per time; 100 ms is the cost of any case.
        fresh: candidate.title.split(', ').filter((part) => !tried.has(part)).length / (candidate.ms + 100),
      }));
    const [{ candidate: best }] = scored.toSorted(
      (a, b) => b.finds - a.finds || b.preferred - a.preferred || b.fresh - a.fresh,
    );
    taken.push(best);
    for (const part of best.title.split(', ')) tried.add(part);
    remaining = remaining.filter((finders) => !finders.includes(best));
  }
  return taken;
}
