import { type Question, stepWhere } from '../../core/story/question.ts';
import { box } from '../../core/story/marks.ts';
import type { Panel, Words } from '../../core/story/scene.ts';
import { TraceBuilder } from '../../core/story/trace.ts';
import { counted, countText, say, strong } from '../../core/story/words.ts';
import {
  type Bar,
  barsPanel,
  randomOf,
  shortNumber,
  trial,
  trialScene,
  type TrialTrace,
  trialTrace,
  WIDTH,
} from './trial.ts';

/** The step of WebGPU timestamps in a browser, in microseconds: 65 536 ns. */
const QUANTUM_US = 65.536;

interface Once {
  /** when it begins, after the previous tick, in microseconds */
  readonly phase: number;
  /** what the clock measures, in steps */
  readonly ticks: number;
}

type ClockStep =
  | { readonly kind: 'once'; readonly sample: number }
  | { readonly kind: 'batch'; readonly batch: number };

interface ClockNumbers {
  /** time of a product, in microseconds: known, since the device is simulated */
  readonly product: number;
  readonly quantum: number;
  /** products in a timing whose error is at most 1 % */
  readonly enough: number;
  readonly once: readonly Once[];
  /** products in one timing, and the resulting time of one, in microseconds */
  readonly batches: readonly { readonly count: number; readonly says: number }[];
}

type ClockTrace = TrialTrace<ClockStep, ClockNumbers>;

const SAMPLES = 6;

/** Number of products in a timing for which a step of the clock is at most this share. */
const countFor = (product: number, share: number, quantum = QUANTUM_US): number =>
  Math.ceil(quantum / (share * product));

const ticksOf = (phase: number, length: number): number => Math.floor((phase + length) / QUANTUM_US);

function narrate({ encoded: e }: ClockTrace, sample: number | null, batch: number | null): readonly Words[] {
  if (batch !== null) {
    const { count, says } = e.batches[batch];
    const max = e.quantum / count;
    return say`${counted(count, 'product')} in one timing: the clock says ${strong(`${shortNumber(says)} µs`)} for each. It can be off by one step for all of them, ${shortNumber(max)} µs for each: ${strong(`${shortNumber((100 * max) / e.product)} %`)} of ${e.product} µs.`;
  }
  if (sample === null) {
    return say`This device is simulated, so the truth is known: a product takes ${strong(`${e.product} µs`)}. Its clock moves in steps of ${shortNumber(e.quantum)} µs, as that of a browser does.`;
  }
  const { phase, ticks } = e.once[sample];
  return say`It begins ${shortNumber(phase)} µs after a step of the clock and takes ${e.product} µs. The clock says ${strong(ticks === 0 ? 'nothing at all' : `${shortNumber(ticks * e.quantum)} µs`)}: ${counted(ticks, 'step')}.`;
}

/** The product among the steps of the clock. */
function ticksPanel({ encoded: e }: ClockTrace, sample: number | null): Panel {
  const steps = 3;
  const scale = WIDTH / (steps * e.quantum);
  const ticks = Array.from({ length: steps }, (_, i) =>
    box(`tick ${i}`, i * e.quantum * scale, 0, {
      w: 0.3,
      h: 2,
      level: 1,
      label: `the clock moves to ${countText(i)} steps`,
    }),
  );
  const product =
    sample === null
      ? []
      : [
          box('product', e.once[sample].phase * scale, 0.5, {
            w: e.product * scale,
            tone: 'format' as const,
            level: 1,
            focus: true,
            text: `${e.product} µs`,
            label: `the product: ${e.product} µs`,
          }),
        ];
  return {
    id: 'ticks',
    title: 'time',
    caption: `the clock moves every ${shortNumber(e.quantum)} µs`,
    unit: 'bar',
    columns: WIDTH,
    rows: 2,
    marks: [...ticks, ...product],
  };
}

function oncePanel({ encoded: e }: ClockTrace, sample: number): Panel {
  const bars = e.once.map(({ ticks }, i): Bar => ({
    id: String(i),
    label: `timing ${i + 1}`,
    value: ticks * e.quantum,
    words: `${shortNumber(ticks * e.quantum)} µs`,
    focus: i === sample,
    coming: i > sample,
  }));
  return barsPanel({
    id: 'once',
    title: 'what the clock says',
    caption: `the line is the truth, ${e.product} µs`,
    bars,
    line: { value: e.product, label: `the truth: ${e.product} µs` },
  });
}

function batchPanel({ encoded: e }: ClockTrace, batch: number): Panel {
  const bars = e.batches.map(({ count, says }, i): Bar => ({
    id: String(count),
    label: `${countText(count)} at once`,
    value: says,
    words: `${shortNumber(says)} µs each`,
    tone: 'format',
    focus: i === batch,
    coming: i > batch,
  }));
  return barsPanel({
    id: 'batches',
    title: 'what the clock says of one product',
    caption: `the line is the truth, ${e.product} µs`,
    bars,
    line: { value: e.product, label: `the truth: ${e.product} µs` },
  });
}

interface ClockAsked {
  readonly trace: ClockTrace;
}

const batchOf = ({ trace }: ClockAsked, count: number): number =>
  stepWhere(trace, (d) => d.kind === 'batch' && trace.encoded.batches[d.batch].count === count);

/** How many products one timing has to contain. */
const productsForOnePercent: Question<ClockTrace, ClockAsked> = {
  id: 'products-in-a-timing',
  unit: 'products',
  subject: (trace) => ({ trace }),
  ask: ({ trace: { encoded: e } }) =>
    say`The clock moves in steps of ${strong(`${e.quantum} µs`)}. A product takes ${strong(`${e.product} µs`)}. How many products must one timing contain, so that a step is at most 1 % of it?`,
  answer: ({ trace }) => trace.encoded.enough,
  because: ({ trace: { encoded: e } }) =>
    say`A hundred steps are ${(100 * e.quantum).toFixed(1)} µs. Over ${e.product} µs that is ${strong(countText(e.enough))} products, rounded up.`,
  span: (asked) => ({ before: asked.trace.chapters[1].firstStep, shows: batchOf(asked, asked.trace.encoded.enough) }),
  misconceptions: [
    {
      id: 'one-step-is-enough',
      title: 'it is enough that a timing is longer than a step',
      answer: ({ trace }) => countFor(trace.encoded.product, 1),
      reply: () => say`Then a step is as long as the whole timing: it can be wrong by ${strong('all of it')}.`,
      departs: (asked) => batchOf(asked, countFor(asked.trace.encoded.product, 1)),
    },
    {
      id: 'a-hundred-for-one-percent',
      title: 'a hundred products make it one in a hundred',
      answer: () => 100,
      reply: () =>
        say`That compares a step with ${strong('a hundred products')}, but a product is shorter than a step. The timing has to last a hundred steps.`,
      departs: (asked) => batchOf(asked, 100),
    },
    {
      id: 'half-a-step',
      title: 'a clock is wrong by half a step at most',
      answer: ({ trace }) => countFor(trace.encoded.product, 0.01, trace.encoded.quantum / 2),
      reply: () =>
        say`Half a step would be right if the clock rounded to the nearest. It rounds ${strong('down')} at both ends, so a whole step can be missing.`,
      departs: ({ trace }) => trace.chapters[1].firstStep + 1,
    },
  ],
};

/** A clock that moves in steps: one product is timed several times, then more and more products at once. */
export const clock = trial<ClockStep>('clock', 'A clock that moves in steps', {
  trace(window) {
    const random = randomOf(window);
    const product = 5 + random.below(40);
    const once = Array.from({ length: SAMPLES }, () => {
      const phase = random.uniform() * QUANTUM_US;
      return { phase, ticks: ticksOf(phase, product) };
    });
    const enough = countFor(product, 0.01);
    const counts = [1, countFor(product, 1), 100, enough].toSorted((a, b) => a - b);
    const batches = counts.map((count) => ({
      count,
      says: (ticksOf(random.uniform() * QUANTUM_US, count * product) * QUANTUM_US) / count,
    }));
    const builder = new TraceBuilder<ClockStep>();
    builder.chapter('once', 'One at a time');
    once.forEach((_, sample) => builder.step({ kind: 'once', sample }));
    builder.chapter('batch', 'Many at once');
    batches.forEach((_, batch) => builder.step({ kind: 'batch', batch }));
    return trialTrace('clock', window, { product, quantum: QUANTUM_US, enough, once, batches }, builder);
  },
  scene(trace, step) {
    const t = trace as ClockTrace;
    const detail = step === 0 ? null : t.steps[step - 1].detail;
    const batch = detail?.kind === 'batch' ? detail.batch : null;
    const sample = detail?.kind === 'once' ? detail.sample : null;
    const panels = batch === null ? [ticksPanel(t, sample), oncePanel(t, sample ?? -1)] : [batchPanel(t, batch)];
    return trialScene(panels, narrate(t, sample, batch));
  },
  questions: [productsForOnePercent] as readonly Question[],
});
