import { box } from '../../core/story/marks.ts';
import { type Question, stepWhere } from '../../core/story/question.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import type { Mark, Panel, Words } from '../../core/story/scene.ts';
import { TraceBuilder } from '../../core/story/trace.ts';
import { countText, say, strong } from '../../core/story/words.ts';
import { PUBLISHED_DEVICES } from '../../theory/roofline/devices.ts';
import { barsPanel, randomOf, shortNumber, trial, trialScene, type TrialTrace, trialTrace } from './trial.ts';

type LayerStep =
  /** how many weights it has */
  | { readonly kind: 'weights' }
  /** how many bytes they are */
  | { readonly kind: 'bytes' }
  /** how long reading them takes */
  | { readonly kind: 'time' }
  /** likewise for a byte per weight */
  | { readonly kind: 'half' };

/** Side of a tile of the picture, in weights. */
const TILE = 1024;
/** Of an f16. */
const WEIGHT_BYTES = 2;

const [DEVICE] = PUBLISHED_DEVICES;
const DEVICE_NAME = DEVICE.name.replace(/,.*/, '');

interface LayerNumbers {
  /** of the layer, in weights */
  readonly layerRows: number;
  readonly layerCols: number;
  readonly weights: number;
  readonly layerBytes: number;
  /** minimum time to read it once */
  readonly microseconds: number;
}

type LayerTrace = TrialTrace<LayerStep, LayerNumbers>;

/** Microseconds to read an amount of bytes. */
const timeOf = (bytes: number): number => bytes / (DEVICE.readGBps * 1e3);

/** A time as words: 18.3 µs. */
const timeText = (microseconds: number): string => `${shortNumber(microseconds)} µs`;

function narrate({ encoded: e }: LayerTrace, detail: LayerStep | null): readonly Words[] {
  switch (detail?.kind) {
    case undefined:
      return say`A layer of ${strong(`${countText(e.layerRows)} × ${countText(e.layerCols)} weights`)}, each an f16. A tile of the picture is ${countText(TILE)} × ${countText(TILE)} of them.`;
    case 'weights':
      return say`${countText(e.layerRows)} × ${countText(e.layerCols)} are ${strong(`${countText(e.weights)} weights`)}. For one token each of them is read once.`;
    case 'bytes':
      return say`An f16 is ${WEIGHT_BYTES} bytes: the layer is ${strong(`${countText(e.layerBytes)} bytes`)}.`;
    case 'time':
      return say`${countText(e.layerBytes)} bytes, divided by ${countText(DEVICE.readGBps * 1e3)} bytes in a microsecond: ${strong(timeText(e.microseconds))}. A kernel that reads every weight cannot be faster.`;
    case 'half':
      return say`With a byte for each weight, the same layer takes ${strong(timeText(e.microseconds / 2))}: half the bytes, half the time.`;
  }
}

/** The layer to scale, a cell for each tile. */
function layerPanel({ encoded: { layerRows, layerCols } }: LayerTrace, isRead: boolean): Panel {
  const [rows, columns] = [layerRows / TILE, layerCols / TILE];
  const marks = Array.from({ length: rows * columns }, (_, i): Mark => {
    const [row, col] = [Math.floor(i / columns), i % columns];
    const from = `rows ${countText(row * TILE)} to ${countText((row + 1) * TILE - 1)}`;
    const label = `${from}, columns ${countText(col * TILE)} to ${countText((col + 1) * TILE - 1)}`;
    return box(`tile ${row},${col}`, col, row, { tone: 'values', level: isRead ? 0.8 : 0.3, label });
  });
  return {
    id: 'layer',
    title: 'layer',
    caption: `${countText(layerRows)} × ${countText(layerCols)} weights, a tile is ${countText(TILE)} × ${countText(TILE)}`,
    unit: 'cell',
    columns,
    rows,
    grid: { rows },
    marks,
  };
}

function timePanel({ encoded: { microseconds } }: LayerTrace, kind: LayerStep['kind'] | null): Panel {
  const bar = (id: string, label: string, value: number, coming: boolean, focus: boolean) => ({
    id,
    label,
    value,
    words: timeText(value),
    tone: 'format' as const,
    coming,
    focus,
  });
  return barsPanel({
    id: 'time',
    title: 'time to read it once',
    caption: `${DEVICE_NAME}, ${countText(DEVICE.readGBps)} bytes in a nanosecond`,
    bars: [
      bar('f16', 'f16, 2 bytes', microseconds, kind !== 'time' && kind !== 'half', kind === 'time'),
      bar('i8', 'i8, 1 byte', microseconds / 2, kind !== 'half', kind === 'half'),
    ],
  });
}

interface LayerAsked {
  readonly trace: LayerTrace;
}

const stepOf = ({ trace }: LayerAsked, kind: LayerStep['kind']): number => stepWhere(trace, (d) => d.kind === kind);

/** How long a layer takes at least, from its bytes alone. */
const minTime: Question<LayerTrace, LayerAsked> = {
  id: 'least-time',
  unit: 'µs',
  tolerance: 0.03,
  subject: (trace) => ({ trace }),
  ask: ({ trace: { encoded: e } }) =>
    say`A layer has ${countText(e.layerRows)} × ${countText(e.layerCols)} weights, each an f16. An ${DEVICE_NAME} reads ${strong(`${countText(DEVICE.readGBps)} bytes in a nanosecond`)}. How many microseconds does it take at least to read the layer once?`,
  answer: ({ trace }) => trace.encoded.microseconds,
  because: ({ trace: { encoded: e } }) =>
    say`${countText(e.weights)} weights are ${strong(`${countText(e.layerBytes)} bytes`)}. Divided by ${countText(DEVICE.readGBps * 1e3)} bytes in a microsecond, that is ${strong(timeText(e.microseconds))}.`,
  span: (asked) => ({ before: 0, shows: stepOf(asked, 'time') }),
  misconceptions: [
    {
      id: 'cells-for-bytes',
      title: 'a weight is a byte',
      answer: ({ trace }) => timeOf(trace.encoded.weights),
      reply: () => say`That divides the number of weights. Each of them is ${strong(`${WEIGHT_BYTES} bytes`)}.`,
      departs: (asked) => stepOf(asked, 'bytes'),
    },
    {
      id: 'bits-for-bytes',
      title: 'bits are read, not bytes',
      answer: ({ trace }) => timeOf(trace.encoded.layerBytes * 8),
      reply: () => say`That counts bits. The speed of memory is given in ${strong('bytes')}, and a byte is 8 bits.`,
      departs: (asked) => stepOf(asked, 'bytes'),
    },
    {
      id: 'thousand-of-a-nanosecond',
      title: 'a microsecond is a nanosecond',
      answer: ({ trace }) => trace.encoded.microseconds * 1000,
      reply: () => say`That is in nanoseconds. A microsecond has ${strong('a thousand')} of them.`,
      departs: (asked) => stepOf(asked, 'time'),
    },
    {
      id: 'weights-in-nanoseconds',
      title: 'a weight is a byte and a microsecond a nanosecond',
      answer: ({ trace }) => timeOf(trace.encoded.weights) * 1000,
      reply: () =>
        say`That divides the number of weights, and is in nanoseconds. A weight is ${strong(`${WEIGHT_BYTES} bytes`)}, and a microsecond has ${strong('a thousand')} nanoseconds.`,
      departs: (asked) => stepOf(asked, 'bytes'),
    },
    {
      id: 'milliseconds',
      title: 'a microsecond is a millisecond',
      answer: ({ trace }) => trace.encoded.microseconds / 1000,
      reply: () => say`That is in milliseconds. A millisecond has ${strong('a thousand')} microseconds.`,
      departs: (asked) => stepOf(asked, 'time'),
    },
  ],
};

/** The minimum cost of reading a layer of a model: its weights, their bytes, their time. */
export const layer = trial<LayerStep>('layer', 'Reading a layer', {
  trace(window: Matrix) {
    const random = randomOf(window);
    const [layerRows, layerCols] = [TILE * (2 + random.below(7)), TILE * (2 + random.below(7))];
    const weights = layerRows * layerCols;
    const builder = new TraceBuilder<LayerStep>();
    builder.chapter('read', 'Read');
    for (const kind of ['weights', 'bytes', 'time', 'half'] as const) builder.step({ kind });
    const layerBytes = weights * WEIGHT_BYTES;
    return trialTrace(
      'layer',
      window,
      { layerRows, layerCols, weights, layerBytes, microseconds: timeOf(layerBytes) },
      builder,
    );
  },
  scene(trace, step) {
    const t = trace as LayerTrace;
    const detail = step === 0 ? null : t.steps[step - 1].detail;
    const kind = detail?.kind ?? null;
    return trialScene([layerPanel(t, kind === 'time' || kind === 'half'), timePanel(t, kind)], narrate(t, detail));
  },
  questions: [minTime] as readonly Question[],
});
