import { type Question, stepWhere } from '../../story/question.ts';
import { box } from '../../story/marks.ts';
import type { Panel } from '../../story/scene.ts';
import { counted, countText, say, strong, type Words } from '../../core/text/words.ts';
import { barAt, barsPanel, PANEL_WIDTH } from './bars.ts';
import { mistake, demo, type DemoTrace, shortNumber } from './demonstration.ts';

/** The step by which WebGPU timestamps advance in a browser, in microseconds. */
const QUANTUM_US = 65.536;

/** A timing of a single product y = A x. */
interface SingleTiming {
  /** microseconds from a step of the clock to the start of the product */
  readonly phase: number;
  /** its duration in steps of the clock */
  readonly ticks: number;
}

/** A step of the demonstration: one product in a timing, or many. */
type ClockStep =
  | { readonly kind: 'once'; readonly sample: number }
  | { readonly kind: 'batch'; readonly batch: number };

interface ClockNumbers {
  /** time of a product, in microseconds: known, since the device is simulated */
  readonly product: number;
  readonly quantum: number;
  /** fewest products in a timing whose error is at most 1 % */
  readonly enough: number;
  readonly singles: readonly SingleTiming[];
  /** timings of several products: how many, and the resulting time of one, in microseconds */
  readonly batches: readonly { readonly count: number; readonly measured: number }[];
}

type ClockTrace = DemoTrace<ClockStep, ClockNumbers>;

/** Number of timings of a single product. */
const SAMPLES = 6;

/** Fewest products of `product` µs in a timing, for a step of the clock to be at most `share` of the timing. */
const countFor = (product: number, share: number, quantum = QUANTUM_US): number =>
  Math.ceil(quantum / (share * product));

/** Steps of the clock during a timing of `length` µs that begins `phase` µs after a step. */
const ticksOf = (phase: number, length: number): number => Math.floor((phase + length) / QUANTUM_US);

function narrate({ encoded: result }: ClockTrace, detail: ClockStep | null): readonly Words[] {
  if (detail?.kind === 'batch') {
    const { count, measured } = result.batches[detail.batch];
    const percent = (100 * result.quantum) / (count * result.product);
    return say`${counted(count, 'product')} in one timing: the clock shows ${strong(`${shortNumber(measured)} µs`)} for each. It can be off by one step: ${strong(`${shortNumber(percent)} %`)} of the timing.`;
  }
  if (detail === null) {
    return say`This device is simulated: a product takes ${strong(`${result.product} µs`)}. Its clock moves in steps of ${shortNumber(result.quantum)} µs.`;
  }
  const { phase, ticks } = result.singles[detail.sample];
  return say`The product begins ${shortNumber(phase)} µs after a step of the clock. The clock shows ${strong(ticks === 0 ? 'nothing at all' : `${shortNumber(ticks * result.quantum)} µs`)}: ${counted(ticks, 'step')}.`;
}

/** The steps of the clock along the axis of time, and the timed product. */
function ticksPanel({ encoded: result }: ClockTrace, sample: number | null): Panel {
  const steps = 3;
  const scale = PANEL_WIDTH / (steps * result.quantum);
  const marks = Array.from({ length: steps }, (_, i) => {
    const label = `the clock moves to ${counted(i, 'step')}`;
    return box(`tick ${i}`, i * result.quantum * scale, 0, { w: 0.3, h: 2, level: 1, label });
  });
  if (sample !== null) {
    const text = `${result.product} µs`;
    const filled = { w: result.product * scale, tone: 'format', level: 1, focus: true } as const;
    const x = result.singles[sample].phase * scale;
    marks.push(box('product', x, 0.5, { ...filled, text, label: `the product: ${text}` }));
  }
  return {
    id: 'ticks',
    title: 'time',
    caption: `the clock moves every ${shortNumber(result.quantum)} µs`,
    unit: 'bar',
    columns: PANEL_WIDTH,
    rows: 2,
    marks,
  };
}

/** Caption and line of a panel: the product's true time. */
const trueTime = ({ product }: ClockNumbers) => ({
  caption: `the line is the truth, ${product} µs`,
  line: { value: product, label: `the truth: ${product} µs` },
});

function singlesPanel({ encoded: result }: ClockTrace, sample: number): Panel {
  const bars = result.singles.map(({ ticks }, i) =>
    barAt(i, sample, `timing ${i + 1}`, ticks * result.quantum, `${shortNumber(ticks * result.quantum)} µs`, 'neutral'),
  );
  return barsPanel({ id: 'once', title: 'what the clock shows', bars, ...trueTime(result) });
}

function batchPanel({ encoded: result }: ClockTrace, batch: number): Panel {
  const bars = result.batches.map(({ count, measured }, i) =>
    barAt(i, batch, `${countText(count)} at once`, measured, `${shortNumber(measured)} µs each`),
  );
  return barsPanel({ id: 'batches', title: 'what the clock shows', bars, ...trueTime(result) });
}

const batchOf = (trace: ClockTrace, count: number): number =>
  stepWhere(trace, (d) => d.kind === 'batch' && trace.encoded.batches[d.batch].count === count);
const firstBatch = (trace: ClockTrace): number => trace.chapters[1].firstStep + 1;
const countForOneStep = ({ encoded }: ClockTrace): number => countFor(encoded.product, 1);

const productsForOnePercent: Question<ClockTrace, ClockTrace> = {
  id: 'products-in-a-timing',
  unit: 'products',
  findCase: (trace) => trace,
  ask: ({ encoded: result }) =>
    say`The clock moves in steps of ${strong(`${result.quantum} µs`)}. A product takes ${strong(`${result.product} µs`)}. How many products must one timing contain, so that a step is at most 1 % of it?`,
  answer: (trace) => trace.encoded.enough,
  reason: ({ encoded: result }) =>
    say`A hundred steps are ${(100 * result.quantum).toFixed(1)} µs. Over ${result.product} µs that is ${strong(countText(result.enough))} products, rounded up.`,
  steps: (trace) => ({
    before: trace.chapters[1].firstStep,
    shows: batchOf(trace, trace.encoded.enough),
  }),
  misconceptions: [
    mistake('one-step-is-enough', countForOneStep, (trace) => batchOf(trace, countForOneStep(trace))),
    mistake(
      'a-hundred-for-one-percent',
      () => 100,
      (trace) => batchOf(trace, 100),
    ),
    mistake('half-a-step', ({ encoded: result }) => countFor(result.product, 0.01, result.quantum / 2), firstBatch),
  ],
};

/** Demonstrates, for a lesson, a coarse clock: one product is timed several times, then more and more at once. */
export const clock = demo<ClockStep, ClockNumbers>({
  id: 'clock',
  title: 'A clock that moves in steps',
  run(_window, random, builder) {
    const product = 5 + random.below(40);
    const singles = Array.from({ length: SAMPLES }, () => {
      const phase = random.uniform() * QUANTUM_US;
      return { phase, ticks: ticksOf(phase, product) };
    });
    const enough = countFor(product, 0.01);
    const counts = [1, countFor(product, 1), 100, enough].toSorted((a, b) => a - b);
    const batches = counts.map((count) => ({
      count,
      measured: (ticksOf(random.uniform() * QUANTUM_US, count * product) * QUANTUM_US) / count,
    }));
    builder.chapter('once', 'One at a time');
    singles.forEach((_, sample) => builder.step({ kind: 'once', sample }));
    builder.chapter('batch', 'Many at once');
    batches.forEach((_, batch) => builder.step({ kind: 'batch', batch }));
    return { product, quantum: QUANTUM_US, enough, singles, batches };
  },
  panels: (t, detail) =>
    detail?.kind === 'batch'
      ? [batchPanel(t, detail.batch)]
      : [ticksPanel(t, detail?.sample ?? null), singlesPanel(t, detail?.sample ?? -1)],
  narrate,
  questions: [productsForOnePercent] as readonly Question[],
});
