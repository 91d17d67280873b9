import { box } from '../../story/marks.ts';
import { type Question, stepWhere } from '../../story/question.ts';
import type { Mark, Panel } from '../../story/scene.ts';
import { counted, countText, say, strong, type Words } from '../../core/text/words.ts';
import { PUBLISHED_DEVICES } from '../../theory/roofline/devices.ts';
import { barAt, barsPanel } from './bars.ts';
import { mistake, demo, type DemoTrace, shortNumber } from './demonstration.ts';

/** What a step works out: weights, bytes, the time to read them, to read a byte for each, to multiply all tokens. */
type LayerStep = 'weights' | 'bytes' | 'time' | 'half' | 'tokens';

/** Side of a tile, in weights; the picture has a cell for each tile. */
const TILE = 1024;
/** Bytes of an f16. */
const WEIGHT_BYTES = 2;

/** The device of the example, an NVIDIA H200 as measured by this project. */
const [DEVICE] = PUBLISHED_DEVICES;
const DEVICE_NAME = DEVICE.name.replace(/,.*/, '');

interface LayerNumbers {
  /** of the layer, in weights */
  readonly layerRows: number;
  readonly layerCols: number;
  readonly weights: number;
  readonly layerBytes: number;
  /** minimum time to read the layer once */
  readonly microseconds: number;
  /** tokens that are multiplied per read */
  readonly tokens: number;
  /** minimum microseconds for two operations per weight and token */
  readonly computing: number;
  /** smallest whole number of tokens for which computing is at least as slow as reading */
  readonly evenTokens: number;
}

type LayerTrace = DemoTrace<LayerStep, LayerNumbers>;

/** Microseconds to read an amount of bytes. */
const timeOf = (bytes: number): number => bytes / (DEVICE.readGBps * 1e3);

/** A time as words: 18.3 µs. */
const timeText = (microseconds: number): string => `${shortNumber(microseconds)} µs`;

function narrate({ encoded: result }: LayerTrace, detail: LayerStep | null): readonly Words[] {
  switch (detail) {
    case null:
      return say`A layer of ${strong(`${countText(result.layerRows)} × ${countText(result.layerCols)} weights`)}, each an f16.`;
    case 'weights':
      return say`${countText(result.layerRows)} × ${countText(result.layerCols)} are ${strong(`${countText(result.weights)} weights`)}.`;
    case 'bytes':
      return say`An f16 is ${WEIGHT_BYTES} bytes: the layer is ${strong(`${countText(result.layerBytes)} bytes`)}.`;
    case 'time':
      return say`${countText(result.layerBytes)} bytes, divided by ${countText(DEVICE.readGBps * 1e3)} bytes in a microsecond: ${strong(timeText(result.microseconds))}. No kernel that reads every weight is faster.`;
    case 'half':
      return say`With a byte for each weight, the same layer takes ${strong(timeText(result.microseconds / 2))}.`;
    case 'tokens':
      return say`Two operations for each weight and ${strong(counted(result.tokens, 'token'))}, at ${countText(DEVICE.f32Tflops * 1e6)} in a microsecond: ${strong(timeText(result.computing))}. Reading stays at ${timeText(result.microseconds)}. The longer one decides.`;
  }
}

/** The layer to scale, with a cell for each tile. */
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

function timePanel({ encoded: result }: LayerTrace, kind: LayerStep | null): Panel {
  const read = timeText(result.microseconds);
  if (kind === 'tokens') {
    return barsPanel({
      id: 'tokens',
      title: `time for ${counted(result.tokens, 'token')}`,
      caption: `${DEVICE_NAME}, in f32 without tensor cores`,
      bars: [
        { ...barAt(0, 1, 'read once', result.microseconds, read), focus: result.microseconds >= result.computing },
        {
          ...barAt(0, 1, 'compute', result.computing, timeText(result.computing)),
          focus: result.computing > result.microseconds,
        },
      ],
    });
  }
  const upTo = kind === 'half' ? 1 : kind === 'time' ? 0 : -1;
  return barsPanel({
    id: 'time',
    title: 'time to read it once',
    caption: `${DEVICE_NAME}, ${countText(DEVICE.readGBps)} bytes in a nanosecond`,
    bars: [
      barAt(0, upTo, 'f16, 2 bytes', result.microseconds, read),
      barAt(1, upTo, 'i8, 1 byte', result.microseconds / 2, timeText(result.microseconds / 2)),
    ],
  });
}

/** A function that finds the step of a kind in a trace. */
const stepOf = (kind: LayerStep) => (trace: LayerTrace) => stepWhere(trace, (d) => d === kind);

const minTime: Question<LayerTrace, LayerTrace> = {
  id: 'least-time',
  unit: 'µs',
  tolerance: 0.03,
  findCase: (trace) => trace,
  ask: ({ encoded: result }) =>
    say`A layer has ${countText(result.layerRows)} × ${countText(result.layerCols)} weights, each an f16. An ${DEVICE_NAME} reads ${strong(`${countText(DEVICE.readGBps)} bytes in a nanosecond`)}. How many microseconds does it take at least to read the layer once?`,
  answer: (trace) => trace.encoded.microseconds,
  reason: ({ encoded: result }) =>
    say`${countText(result.weights)} weights are ${strong(`${countText(result.layerBytes)} bytes`)}. Divided by ${countText(DEVICE.readGBps * 1e3)} bytes in a microsecond, that is ${strong(timeText(result.microseconds))}.`,
  steps: (requested) => ({ before: 0, shows: stepOf('time')(requested) }),
  misconceptions: [
    mistake('cells-for-bytes', (trace) => timeOf(trace.encoded.weights), stepOf('bytes')),
    mistake('bits-for-bytes', (trace) => timeOf(trace.encoded.layerBytes * 8), stepOf('bytes')),
    mistake('thousand-of-a-nanosecond', (trace) => trace.encoded.microseconds * 1000, stepOf('time')),
    mistake('weights-in-nanoseconds', (trace) => timeOf(trace.encoded.weights) * 1000, stepOf('bytes')),
    mistake('milliseconds', (trace) => trace.encoded.microseconds / 1000, stepOf('time')),
  ],
};

const timeOfTokens: Question<LayerTrace, LayerTrace> = {
  id: 'time-of-tokens',
  unit: 'µs',
  tolerance: 0.03,
  findCase: (trace) => trace,
  ask: ({ encoded: result }) =>
    say`A layer of ${countText(result.layerRows)} × ${countText(result.layerCols)} weights in f16 multiplies ${strong(`${counted(result.tokens, 'token')} at once`)}. An ${DEVICE_NAME} reads ${countText(DEVICE.readGBps)} bytes in a nanosecond and meanwhile does ${countText(DEVICE.f32Tflops * 1000)} operations. How many microseconds does it take at least?`,
  answer: ({ encoded: result }) => Math.max(result.microseconds, result.computing),
  reason: (trace) => narrate(trace, 'tokens'),
  steps: (requested) => ({ before: 0, shows: stepOf('tokens')(requested) }),
  misconceptions: [
    mistake('read-for-every-token', ({ encoded: result }) => result.microseconds * result.tokens, stepOf('tokens')),
    mistake('reading-alone', (trace) => trace.encoded.microseconds, stepOf('tokens')),
    mistake('one-operation', (trace) => trace.encoded.computing / 2, stepOf('tokens')),
  ],
};

/** Demonstrates, for a lesson, the minimum time of a layer: the time to read its weights, or to multiply them. */
export const layer = demo<LayerStep, LayerNumbers, { readonly tokens: number }>({
  id: 'layer',
  title: 'Reading a layer',
  params: {
    tokens: { kind: 'integer', label: 'tokens', meaning: 'That share one read.', default: 1, min: 1, max: 1024 },
  },
  run(_window, random, builder, { tokens }) {
    const [layerRows, layerCols] = [TILE * (2 + random.below(7)), TILE * (2 + random.below(7))];
    const weights = layerRows * layerCols;
    builder.chapter('read', 'Read');
    for (const kind of ['weights', 'bytes', 'time', 'half', 'tokens'] as const) builder.step(kind);
    const layerBytes = weights * WEIGHT_BYTES;
    const [microseconds, computing] = [timeOf(layerBytes), (2 * weights * tokens) / (DEVICE.f32Tflops * 1e6)];
    const evenTokens = Math.ceil((microseconds * tokens) / computing);
    return { layerRows, layerCols, weights, layerBytes, microseconds, tokens, computing, evenTokens };
  },
  panels: (t, detail) => [
    layerPanel(t, detail !== null && detail !== 'weights' && detail !== 'bytes'),
    timePanel(t, detail),
  ],
  narrate,
  questions: [minTime, timeOfTokens] as readonly Question[],
});
