import { encodesSlowly } from '../format.ts';
import type { Job } from '../job.ts';
import type { Pace } from '../pace.ts';
import type { BenchCase, BenchOptions } from './cases.ts';
import { FIRST_ROUNDS } from './round-counts.ts';
import { isPrecise, type Rounds, type TimedCase } from './rounds.ts';

/** With at most this many formats besides the reference, those that encode slowly need not come last. */
const FEW_FORMATS = 2;

/** Shortest interval between two partial reports, except when a kernel joins. */
const PARTIAL_REPORT_MS = 1000;

/** Runs the steps of a schedule on one device: encodes, verifies and searches kernels, and reports results. */
export interface CaseRunner {
  /**
   * Encodes a case, verifies its kernels, and returns those to be timed, or none if the run does not time. `next`: the
   * case that joins next, which may be encoded meanwhile. Throws only errors that end the whole run.
   */
  join(benchCase: BenchCase, next?: BenchCase): Promise<readonly TimedCase[]>;
  /**
   * Tries other kernels, and other settings such as the workgroup size, for a case that has had its first rounds.
   * Returns the kernels to time from now on, without samples if kernel or setting changed; null if there was nothing to
   * try. Several kernels may be almost equally fast: all of them are timed until `narrow` drops the slower ones.
   */
  search?(benchCase: BenchCase): Promise<readonly TimedCase[] | null>;
  /**
   * Drops kernels of a case that turned out slower than another one of it, and returns them; called after every round.
   * `isLast`: the rounds are over, and one kernel stays of each case.
   */
  narrow?(isLast: boolean): Promise<readonly TimedCase[]>;
  /** The other subjects of every round: kernels of the reference, and probes that measure the device. */
  references(): readonly TimedCase[];
  /** Adds the references that were deferred since they take long to set up: the probe of the read speed. */
  openReferences(): Promise<void>;
  /** Verifies kernels again that have all of their rounds. */
  verifyAgain(complete: readonly TimedCase[]): Promise<void>;
  /** Reports the results so far; `waiting`: the cases that have not joined. */
  publish(waiting: readonly BenchCase[]): Promise<void>;
}

/**
 * Runs a benchmark, so that first results appear early. Each case (a format with parameters) is encoded, verified and
 * timed in a few rounds with the references; nothing is encoded while anything is timed. A reference is first timed
 * with a case that is compared with it. Then other kernels and settings are tried for each case, and the fastest of
 * them are timed anew, until their ranges are apart. Then all are timed together until they have all rounds. Cases that
 * encode slowly join after that, unless there are few formats. Throws the errors of the runner.
 */
export async function runSchedule(
  cases: readonly BenchCase[],
  options: Pick<BenchOptions, 'reference' | 'workload' | 'endsEarly'>,
  runner: CaseRunner,
  rounds: Rounds,
  job: Job,
  pace: Pace,
): Promise<void> {
  const maxRounds = options.workload.rounds;
  const order = orderOfCases(cases, options.reference);
  const searchable: { readonly benchCase: BenchCase; readonly kernels: readonly TimedCase[] }[] = [];
  const hasFewFormats = order.filter(({ format }) => format.id !== options.reference).length <= FEW_FORMATS;
  /** whether a case joins only after all others have all of their rounds: its encoding would delay their times */
  const runsLast = (benchCase: BenchCase): boolean => isSlow(benchCase) && !hasFewFormats;
  /** the first round with the present references */
  let comparedFrom = 0;
  /** kernels whose medians were known well enough before they had all of their rounds */
  let endedEarly: ReadonlySet<TimedCase> = new Set();
  let joined: readonly TimedCase[] = [];
  /** how many of `joined` were verified again */
  let reverified = 0;
  /** index in `order` of the case that joins next */
  let next = 0;
  let isPublished = true;
  let publishedAtMs = pace.now();

  const publish = async (): Promise<void> => {
    isPublished = true;
    await runner.publish(order.slice(next));
    publishedAtMs = pace.now();
  };
  const narrow = async (isLast: boolean): Promise<void> => {
    const dropped = (await runner.narrow?.(isLast)) ?? [];
    if (dropped.length > 0) joined = joined.filter((kernel) => !dropped.includes(kernel));
  };
  const measure = async (kernels: readonly TimedCase[]): Promise<void> => {
    await rounds.measure(eachOnce(runner.references(), kernels));
    isPublished = false;
    await narrow(false);
  };
  const join = async (): Promise<void> => {
    const benchCase = order[next];
    const following = order.at(next + 1);
    const isFollowed = following !== undefined && !runsLast(following);
    const kernels = await runner.join(benchCase, isFollowed ? following : undefined);
    joined = [...joined, ...kernels];
    next++;
    searchable.push({ benchCase, kernels });
    // A reference is timed with the case that follows it, which is compared with it; alone if none follows now.
    if (!isFollowed || benchCase.format.id !== options.reference) await firstRounds(benchCase, kernels);
  };
  const search = async (): Promise<void> => {
    for (const { benchCase, kernels } of searchable.splice(0)) {
      const replacements = (await runner.search?.(benchCase)) ?? null;
      if (replacements === null) continue;
      joined = [...joined.filter((kernel) => !kernels.includes(kernel)), ...replacements];
      const isReference = benchCase.format.id === options.reference;
      // Another reference kernel: samples from rounds without it cannot be compared with its times.
      if (isReference && !replacements.some((kernel) => kernels.includes(kernel))) {
        comparedFrom = rounds.next;
        endedEarly = new Set();
      }
      // A replaced reference gets its rounds with the other cases, unless there are none.
      if (!isReference || order.length === 1) await firstRounds(benchCase, replacements);
    }
  };
  /** the samples of rounds with the present references */
  const comparedSamples = ({ rounds: numbers, samplesNs }: TimedCase): readonly number[] =>
    samplesNs.filter((_, i) => numbers[i] >= comparedFrom);
  const firstRounds = async (benchCase: BenchCase, kernels: readonly TimedCase[]): Promise<void> => {
    const total = Math.min(FIRST_ROUNDS, maxRounds);
    for (let done = 0; done < total && kernels.some(({ samplesNs }) => samplesNs.length < total); done++) {
      job.report({ what: `first rounds of ${benchCase.format.title}`, done, total });
      await measure(kernels.filter((kernel) => joined.includes(kernel)));
    }
    await publish();
  };
  const complete = async (): Promise<void> => {
    if (joined.length === 0) return;
    await runner.openReferences();
    for (;;) {
      const incomplete = joined.filter(
        (kernel) => comparedSamples(kernel).length < maxRounds && !endedEarly.has(kernel),
      );
      if (incomplete.length === 0) break;
      const done = incomplete.reduce((min, kernel) => Math.min(min, comparedSamples(kernel).length), maxRounds);
      if (options.endsEarly && incomplete.every((kernel) => isPrecise(comparedSamples(kernel)))) {
        rounds.noteEarlyEnd(done);
        endedEarly = new Set(joined);
        break;
      }
      job.report({ what: 'rounds', done, total: maxRounds });
      await measure(incomplete);
      if (pace.now() - publishedAtMs >= PARTIAL_REPORT_MS) await publish();
    }
    await narrow(true);
    await runner.verifyAgain(joined.slice(reverified));
    reverified = joined.length;
  };

  try {
    while (next < order.length && !runsLast(order[next])) await join();
    await search();
    await complete();
    while (next < order.length) {
      await publish();
      await join();
      await search();
      await complete();
    }
  } finally {
    if (!isPublished) await publish();
  }
}

/** References and kernels without repetitions. */
function eachOnce(references: readonly TimedCase[], kernels: readonly TimedCase[]): readonly TimedCase[] {
  return [...new Set([...references, ...kernels])];
}

/** Whether a case has yet to be encoded by a format whose encoder tries many layouts. */
function isSlow({ format, isEncoded }: BenchCase): boolean {
  return encodesSlowly(format) && !isEncoded?.();
}

/**
 * The order in which cases join: encoded ones, then those that encode fast, then the rest. The reference of each
 * value type precedes the first case of that type, which is compared with it.
 */
export function orderOfCases(cases: readonly BenchCase[], referenceFormat: string): readonly BenchCase[] {
  const cost = (benchCase: BenchCase): number => (isSlow(benchCase) ? 2 : benchCase.isEncoded?.() ? 0 : 1);
  const isReference = ({ format }: BenchCase): boolean => format.id === referenceFormat;
  const references = cases.filter(isReference);
  const order = new Set<BenchCase>();
  const others = cases.filter((benchCase) => !isReference(benchCase));
  for (const benchCase of others.toSorted((a, b) => cost(a) - cost(b))) {
    const ofType = references.filter(({ params }) => params.valueType === benchCase.params.valueType);
    for (const reference of ofType.length > 0 ? ofType : references) order.add(reference);
    order.add(benchCase);
  }
  for (const reference of references) order.add(reference);
  // Slow cases last, after all references.
  return [...order].toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b)));
}
