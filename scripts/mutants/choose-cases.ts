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
  const at = name.indexOf(': ');
  return { kernel: name.slice(0, at), law: LAWS[group as keyof typeof LAWS], title: name.slice(at + 2), ms };
}

/** Chooses from the cases of one kernel. `mutants`: for each mutant, the cases that find it. */
export function chooseCases(cases: readonly KernelCase[], mutants: readonly (readonly KernelCase[])[]): ChosenCases {
  const casesOf = (law: Law): readonly KernelCase[] => cases.filter((item) => item.law === law);
  const agrees = cover(casesOf('agrees'), mutants, MIN_CASES, () => false);
  // For mutants that only numbers that are not finite show; preferably on shapes whose pipelines are compiled already.
  const left = mutants.filter((found) => !found.some((one) => agrees.includes(one)));
  const compiled = new Set(agrees.map(({ title }) => title));
  const notFinite = cover(casesOf('notFinite'), left, 1, ({ title }) => compiled.has(title));
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
  isPreferred: (one: KernelCase) => boolean,
): readonly KernelCase[] {
  const taken: KernelCase[] = [];
  const tried = new Set<string>();
  let left = mutants.filter((found) => found.some((one) => cases.includes(one)));
  while (taken.length < cases.length && (left.length > 0 || taken.length < minCases)) {
    const scored = cases
      .filter((one) => !taken.includes(one))
      .map((one) => ({
        one,
        finds: left.filter((found) => found.includes(one)).length,
        preferred: isPreferred(one) ? 1 : 0,
        fresh: one.title.split(', ').filter((what) => !tried.has(what)).length / (one.ms + 100),
      }));
    const [{ one }] = scored.toSorted((a, b) => b.finds - a.finds || b.preferred - a.preferred || b.fresh - a.fresh);
    taken.push(one);
    for (const what of one.title.split(', ')) tried.add(what);
    left = left.filter((found) => !found.includes(one));
  }
  return taken;
}
