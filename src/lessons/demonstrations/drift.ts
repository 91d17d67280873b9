import { type Question, stepWhere } from '../../story/question.ts';
import { largest, median } from '../../core/number/statistics.ts';
import type { Panel, Tone } from '../../story/scene.ts';
import { say, strong, type Words } from '../../core/text/words.ts';
import { type Bar, barAt, barsPanel } from './bars.ts';
import { demo, type DemoTrace, shortNumber } from './demonstration.ts';

type DriftStep =
  /** kernels timed one after the other: a timing (the dense kernel's first), then the ratio of their medians */
  | { readonly kind: 'apart'; readonly timing: number }
  | { readonly kind: 'apart-ratio' }
  /** kernels timed in rounds: a round, which times both kernels, then the median of the rounds' ratios */
  | { readonly kind: 'round'; readonly round: number }
  | { readonly kind: 'rounds-ratio' };

/** The numbers of the demonstration, which its lesson can print. */
interface DriftNumbers {
  /** how many times as fast the other kernel is: known, since the device is simulated */
  readonly ratio: number;
  /** time of any kernel at the end over its time at the beginning */
  readonly drift: number;
  /** timings of each kernel */
  readonly timings: number;
  /** microseconds of the two kernels, timed one after the other */
  readonly dense: readonly number[];
  readonly other: readonly number[];
  /** the ratio of their medians */
  readonly apart: number;
  readonly rounds: readonly { readonly dense: number; readonly other: number; readonly ratio: number }[];
  /** median of the rounds' ratios, as in reports of benchmarks */
  readonly medianRatio: number;
}

type DriftTrace = DemoTrace<DriftStep, DriftNumbers>;

const TIMINGS = 5;
/** Microseconds of the dense kernel while the device is at its initial speed. */
const DENSE_MICROSECONDS = 80;
/** Distance between the two timings of a round, in timings; rounds begin 2 timings apart. */
const SECOND_TIMING = 0.3;
/** Every timing is off by up to this fraction, independently. */
const NOISE = 0.02;

const times = (ratio: number): string => `${ratio.toFixed(2)} times`;

function narrate({ encoded: result }: DriftTrace, detail: DriftStep | null): readonly Words[] {
  switch (detail?.kind) {
    case undefined:
      return say`This device is simulated: the second kernel is ${strong(`${times(result.ratio)} as fast`)} as dense. While both are timed, the device ${result.drift > 1 ? 'slows down' : 'becomes faster'}.`;
    case 'apart': {
      const isDense = detail.timing < TIMINGS;
      const value = isDense ? result.dense[detail.timing] : result.other[detail.timing - TIMINGS];
      return say`${isDense ? 'First dense alone' : 'Then the other kernel alone'}: ${strong(`${shortNumber(value)} µs`)}.`;
    }
    case 'apart-ratio':
      return say`Median over median is ${strong(times(result.apart))}. The truth is ${result.ratio.toFixed(2)}. The later kernel met a ${result.drift > 1 ? 'slower' : 'faster'} device.`;
    case 'round': {
      const { dense, other, ratio } = result.rounds[detail.round];
      return say`Round ${detail.round + 1} times both, in random order: ${shortNumber(dense)} / ${shortNumber(other)} µs = ${strong(ratio.toFixed(2))}.`;
    }
    case 'rounds-ratio':
      return say`The median of the rounds’ ratios is ${strong(times(result.medianRatio))}; the truth is ${result.ratio.toFixed(2)}.`;
  }
}

/** The timings of the two kernels, in two panels of one scale. */
function apartPanels({ encoded: result }: DriftTrace, upTo: number): readonly Panel[] {
  const barsOf = (values: readonly number[], from: number, tone: Tone): readonly Bar[] =>
    values.map((value, i) => barAt(from + i, upTo, `timing ${from + i + 1}`, value, `${shortNumber(value)} µs`, tone));
  const [dense, other] = [barsOf(result.dense, 0, 'neutral'), barsOf(result.other, TIMINGS, 'values')];
  const max = largest([...result.dense, ...result.other]);
  return [
    barsPanel({ id: 'first', title: 'the dense kernel', caption: 'timed first', bars: dense, max }),
    barsPanel({ id: 'second', title: 'the other kernel', caption: 'timed second', bars: other, max }),
  ];
}

function roundPanels({ encoded: result }: DriftTrace, upTo: number): readonly Panel[] {
  const ratios = result.rounds.map(({ dense, other, ratio }, i) => {
    const words = `${ratio.toFixed(2)} = ${shortNumber(dense)} / ${shortNumber(other)} µs`;
    return barAt(i, upTo, `round ${i + 1}`, ratio, words);
  });
  const truth = result.ratio.toFixed(2);
  const line = { value: result.ratio, label: `the truth: ${truth}` };
  const caption = `the line is the truth, ${truth}`;
  return [barsPanel({ id: 'ratios', title: 'dense over other', caption, bars: ratios, line })];
}

const OPTIONS = ['a smaller speed-up than the true one', 'the true speed-up', 'a larger speed-up than the true one'];

/** Relative error up to which a ratio counts as true. */
const NEAR = 0.05;

/** The option that describes the ratio of two kernels that are timed one after the other. */
function apparentRatio({ encoded: { apart, ratio } }: DriftTrace): string {
  const error = apart / ratio - 1;
  return OPTIONS[Math.abs(error) <= NEAR ? 1 : error < 0 ? 0 : 2];
}

const apartRatioStep = (trace: DriftTrace): number => stepWhere(trace, (d) => d.kind === 'apart-ratio');

const measuredApart: Question<DriftTrace, DriftTrace> = {
  id: 'measured-apart',
  findCase: (trace) => (apparentRatio(trace) === OPTIONS[1] ? null : trace),
  ask: ({ encoded: result }) =>
    say`First dense is timed ${TIMINGS} times, then a faster kernel ${TIMINGS} times. Meanwhile the device ${strong(result.drift > 1 ? 'slows down' : 'becomes faster')}. The two medians are divided. What comes out?`,
  options: () => OPTIONS,
  answer: (trace) => apparentRatio(trace),
  reason: ({ encoded: result }) =>
    say`The other kernel was timed on a device that was already ${result.drift > 1 ? 'slower' : 'faster'}. The result is ${strong(times(result.apart))}, and the truth is ${result.ratio.toFixed(2)}.`,
  steps: (trace) => ({ before: 0, shows: apartRatioStep(trace) }),
  misconceptions: [
    {
      id: 'medians-take-care',
      title: 'a median corrects this',
      answer: () => OPTIONS[1],
      reply: () =>
        say`A median takes care of single timings that are off. Here ${strong('all timings')} of the second kernel are off.`,
      falseAt: (trace) => stepWhere(trace, (d) => d.kind === 'apart' && d.timing === TIMINGS),
    },
    {
      id: 'the-first-one-pays',
      title: 'the change falls on the kernel that was timed first',
      answer: (trace) => (apparentRatio(trace) === OPTIONS[0] ? OPTIONS[2] : OPTIONS[0]),
      reply: ({ encoded: result }) =>
        say`The first kernel met the unchanged device, ${strong('the second')} a ${result.drift > 1 ? 'slower' : 'faster'} one.`,
      falseAt: apartRatioStep,
    },
  ],
};

/** Demonstrates, for a lesson, a device that changes speed: two kernels timed one after the other, then in rounds. */
export const drift = demo<DriftStep, DriftNumbers>({
  id: 'drift',
  title: 'A device that changes its pace',
  run(_window, random, builder) {
    const ratio = 1.1 + random.below(8) / 20;
    const slows = random.below(2) === 0;
    const change = 1.5 + random.below(5) / 10;
    const drift = slows ? change : 1 / change;
    // Times change gradually from timing 0 to the last one.
    const slowdownAt = (i: number): number => 1 + ((drift - 1) * i) / (2 * TIMINGS - 1);
    const timeOf = (firstTime: number, i: number): number =>
      firstTime * slowdownAt(i) * (1 + NOISE * (2 * random.uniform() - 1));
    const dense = Array.from({ length: TIMINGS }, (_, i) => timeOf(DENSE_MICROSECONDS, i));
    const other = Array.from({ length: TIMINGS }, (_, i) => timeOf(DENSE_MICROSECONDS / ratio, TIMINGS + i));
    const rounds = Array.from({ length: TIMINGS }, (_, i) => {
      const isDenseFirst = random.below(2) === 0;
      const denseTime = timeOf(DENSE_MICROSECONDS, 2 * i + (isDenseFirst ? 0 : SECOND_TIMING));
      const otherTime = timeOf(DENSE_MICROSECONDS / ratio, 2 * i + (isDenseFirst ? SECOND_TIMING : 0));
      return { dense: denseTime, other: otherTime, ratio: denseTime / otherTime };
    });
    builder.chapter('apart', 'One after the other');
    for (let timing = 0; timing < 2 * TIMINGS; timing++) builder.step({ kind: 'apart', timing });
    builder.step({ kind: 'apart-ratio' });
    builder.chapter('rounds', 'In rounds');
    rounds.forEach((_, round) => builder.step({ kind: 'round', round }));
    builder.step({ kind: 'rounds-ratio' });
    const apart = median(dense) / median(other);
    const medianRatio = median(rounds.map((round) => round.ratio));
    return { ratio, drift, timings: TIMINGS, dense, other, apart, rounds, medianRatio };
  },
  panels: (t, detail) =>
    detail?.kind === 'round' || detail?.kind === 'rounds-ratio'
      ? roundPanels(t, detail.kind === 'round' ? detail.round : TIMINGS)
      : apartPanels(t, detail === null ? -1 : detail.kind === 'apart' ? detail.timing : 2 * TIMINGS),
  narrate,
  questions: [measuredApart] as readonly Question[],
});
