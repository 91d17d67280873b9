import { seededShuffle } from './shuffle.mjs';

/**
 * Which cases of a kernel `npm test` runs (src/formats/kernel-cases.json): a set that catches every planted fault of the
 * kernel that any of its cases catches, and then what is tried with the most shapes and values of parameters for its time.
 */

/** Cases of a kernel at least, so that they find faults that nobody planted. */
const MIN_CASES = 3;
/** Where no case that catches a fault is cheaper, it is enough that another kernel of the same text catches it. */
const DEAR_MS = 2000;
const AGREES = 'agrees with the oracle, as closely as it is pinned to';
const NOT_FINITE = 'keeps what is not finite in x[0] to the rows that touch column 0';

/** @typedef {{ kernel: string, law: 'agrees' | 'notFinite', title: string, ms: number }} KernelCase */
/** @typedef {{ id: string, caught: ReadonlyMap<string, readonly string[]> }} Caught by kernel, the keys of cases that fail */

/** @param {{ kernel: string, law: string, title: string }} one */
export const keyOf = ({ kernel, law, title }) => `${law} ${kernel}: ${title}`;

/**
 * The case that a test of law 6 is; null for its other tests.
 *
 * @param {string} title the full title of the test, as `runVitest` gives it
 * @param {number} ms
 * @returns {KernelCase | null}
 */
export function kernelCase(title, ms) {
  const [, law, name] = title.split(' > ');
  if (law !== AGREES && law !== NOT_FINITE) return null;
  const at = name.indexOf(': ');
  return { kernel: name.slice(0, at), law: law === AGREES ? 'agrees' : 'notFinite', title: name.slice(at + 2), ms };
}

/**
 * What a case tries: a shape, and a value of every parameter.
 *
 * @param {KernelCase} one
 */
const triedBy = ({ title }) => title.split(', ');

/**
 * @param {readonly KernelCase[]} cases
 * @param {readonly Caught[]} faults
 * @returns {Record<string, { agrees: string[], notFinite: string[] }>}
 */
export function chooseCases(cases, faults) {
  const byKey = new Map(cases.map((one) => [keyOf(one), one]));
  /** @param {readonly string[]} keys */
  // bounded: cases of a kernel
  const minMs = (keys) => Math.min(...keys.map((key) => byKey.get(key)?.ms ?? Number.POSITIVE_INFINITY));
  /** @type {Map<string, ReadonlyMap<string, readonly string[]>>} by kernel and fault, the cases that catch it */
  const owed = new Map();
  for (const { id, caught } of faults) {
    const all = [...caught].filter(([, keys]) => keys.length > 0);
    // bounded: kernels that share a text
    const cheapest = Math.min(...all.map(([, keys]) => minMs(keys)));
    let hasDear = false;
    for (const [kernel, keys] of all.toSorted(([, a], [, b]) => minMs(a) - minMs(b))) {
      if (minMs(keys) > Math.max(DEAR_MS, cheapest) || (minMs(keys) > DEAR_MS && hasDear)) continue;
      hasDear ||= minMs(keys) > DEAR_MS;
      owed.set(kernel, new Map(owed.get(kernel)).set(id, keys));
    }
  }
  /** @type {Record<string, { agrees: string[], notFinite: string[] }>} */
  const chosen = {};
  for (const kernel of new Set(cases.map((one) => one.kernel))) {
    const own = cases.filter((one) => one.kernel === kernel);
    /** @type {ReadonlyMap<string, readonly string[]>} */
    const faultsOf = owed.get(kernel) ?? new Map();
    const agrees = cover(
      own.filter(({ law }) => law === 'agrees'),
      faultsOf,
      MIN_CASES,
    );
    // What only a number that is not finite shows; on a shape whose pipelines are there, where that makes no difference.
    const left = new Map(
      [...faultsOf].filter(([, keys]) => !keys.some((key) => agrees.some((one) => keyOf(one) === key))),
    );
    const compiled = new Set(agrees.map(({ title }) => title));
    const notFinite = cover(
      own
        .filter(({ law }) => law === 'notFinite')
        .toSorted((a, b) => (compiled.has(b.title) ? 1 : 0) - (compiled.has(a.title) ? 1 : 0)),
      left,
      1,
      ({ title }) => compiled.has(title),
    );
    chosen[kernel] = { agrees: agrees.map(({ title }) => title), notFinite: notFinite.map(({ title }) => title) };
  }
  return chosen;
}

/**
 * At least `minCases` cases, if there are as many, that together catch all faults that any of them catches: always the one
 * that catches most that are left, then the one that tries most that is new for its time.
 *
 * @param {readonly KernelCase[]} cases
 * @param {ReadonlyMap<string, readonly string[]>} faults
 * @param {number} minCases
 * @param {(one: KernelCase) => boolean} isPreferred
 */
function cover(cases, faults, minCases, isPreferred = () => false) {
  /** @type {KernelCase[]} */
  const taken = [];
  const tried = new Set();
  let left = [...faults].filter(([, keys]) => cases.some((one) => keys.includes(keyOf(one))));
  while (taken.length < cases.length && (left.length > 0 || taken.length < minCases)) {
    /** @param {KernelCase} one */
    const score = (one) => {
      const catches = left.filter(([, keys]) => keys.includes(keyOf(one))).length;
      const fresh = triedBy(one).filter((what) => !tried.has(what)).length;
      return [catches, isPreferred(one) ? 1 : 0, fresh / (one.ms + 100)];
    };
    const [best] = cases
      .filter((one) => !taken.includes(one))
      .map((one) => ({ one, score: score(one) }))
      .toSorted((a, b) => b.score[0] - a.score[0] || b.score[1] - a.score[1] || b.score[2] - a.score[2]);
    taken.push(best.one);
    for (const what of triedBy(best.one)) tried.add(what);
    left = left.filter(([, keys]) => !keys.includes(keyOf(best.one)));
  }
  return taken;
}

/**
 * How many of the faults that all cases catch are caught by chosen ones.
 *
 * @param {Record<string, { agrees: string[], notFinite: string[] }>} chosen
 * @param {readonly Caught[]} faults
 */
export function caughtBy(chosen, faults) {
  const keys = new Set(
    Object.entries(chosen).flatMap(([kernel, laws]) =>
      Object.entries(laws).flatMap(([law, titles]) => titles.map((title) => keyOf({ kernel, law, title }))),
    ),
  );
  return faults.filter(({ caught }) => [...caught.values()].some((failing) => failing.some((key) => keys.has(key))));
}

/**
 * The faults in two halves, the same for a seed.
 *
 * @template T
 * @param {readonly T[]} faults
 * @param {number} seed
 * @returns {readonly [T[], T[]]}
 */
export function halves(faults, seed) {
  const shuffled = seededShuffle(faults, seed);
  const half = Math.ceil(shuffled.length / 2);
  return [shuffled.slice(0, half), shuffled.slice(half)];
}
