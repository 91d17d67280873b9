// The command line of `sparsescope tokens` (`npm run decode`), which times the decoding of a language model.

import type { AnyFormat, ParamField } from '../../../src/core/format.ts';
import { referenceFormat } from '../../../src/formats/registry.ts';
import { type ModelShape } from '../../../src/theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../src/theory/models/known-models.ts';
import { modelOfSizes } from '../../../src/theory/models/model-sizes.ts';
import {
  ArgumentError,
  type GivenArguments,
  numberIn,
  type Options,
  optionsHelp,
  readArguments,
  rejectOperands,
} from '../../../scripts/command-line.ts';
import { paramsOf } from '../../../bench/arguments.ts';

/**
 * The options of a `sparsescope tokens` command line: a model by its sizes, a format for its blocks, and what is timed.
 */
export interface DecodeArguments {
  readonly model: ModelShape;
  readonly format: AnyFormat;
  readonly params: Readonly<Record<string, unknown>>;
  readonly density: number;
  /** numbers of tokens before the timed ones, a run for each */
  readonly contexts: readonly number[];
  /** tokens that are also fed at once, the least of `prefills`; 0: none */
  readonly prefill: number;
  /** the numbers of tokens of a prefill, each measured: a single one, unless `eightBits` is given */
  readonly prefills: readonly number[];
  /**
   * formats with parameters: only a prefill is measured, with blocks in i8 in each of them; empty: no such measurement
   */
  readonly eightBits: readonly { readonly format: AnyFormat; readonly params: Readonly<Record<string, unknown>> }[];
  /** formats: only a prefill is measured, with the feed-forward blocks of each of them; empty: no such measurement */
  readonly feedForward: readonly AnyFormat[];
  /** tokens that a timed run generates */
  readonly tokens: number;
  /** repetitions of the timed run */
  readonly rounds: number;
  readonly seed: number;
  /** kernel settings: those found by an earlier run, found anew, or the defaults */
  readonly tuning: 'remember' | 'again' | 'off';
  readonly json: string | null;
  /** whether to time a software adapter, too */
  readonly timesSoftware: boolean;
}

/**
 * Approximate number of positive neurons per token in feed-forward blocks that formats compute, as in TwELL's paper.
 */
export const ACTIVE_NEURONS = 30;

const OPTIONS = {
  model: {
    value: 'NAME',
    help: `${KNOWN_MODELS[0].name.toLowerCase()}, or another known model, or sizes:
hidden-intermediate-layers-heads-kvHeads-headDim-vocabulary:name  (default ${KNOWN_MODELS[0].name.toLowerCase()})`,
  },
  layers: { value: 'N', help: 'fewer blocks than the model has' },
  format: { value: 'ID', help: 'format of the matrices of blocks; head and embedding are dense f16  (default dense)' },
  params: { value: 'NAME=VALUE,...', help: 'parameters of the format: valueType=i4' },
  density: { value: 'D', help: 'share of non-zeros, 0 to 1              (default 0.5, of dense 1)' },
  context: { value: 'N,...', help: 'tokens before the timed ones, a run for each  (default 0)' },
  tokens: { value: 'N', help: 'tokens to generate                      (default 100)' },
  rounds: { value: 'N', help: 'repetitions of the timed run            (default 10)' },
  prefill: { value: 'N', help: 'also feed this many tokens at once' },
  'feed-forward': {
    value: 'ID,...',
    help: `measure only such a prefill, with the feed-forward blocks of these formats at ${ACTIVE_NEURONS} active
neurons a token, beside the dense matrices: dense,twell,hybrid`,
  },
  'eight-bits': {
    value: 'ID,...',
    help: `measure only such a prefill, of one or several numbers of tokens, with blocks and activations
in i8: dense,slidesparse with --params halfGroup=4+2, compared with dense f16`,
  },
  seed: { value: 'N', help: 'seed of the matrices and the tokens     (default 1)' },
  tuning: {
    value: 'remember|again|off',
    help: `kernel settings found by auto-tuning, saved in .cache/tuning.json; found
anew; or the defaults                   (default remember)`,
  },
  json: { value: 'FILE', help: 'write the report, complete or not' },
  'time-software': { help: 'time a software adapter, too: its times do not apply to GPUs' },
} as const satisfies Options;

/** The help text. */
export const DECODE_USAGE = `Usage: sparsescope tokens [option value]...

${optionsHelp(OPTIONS)}

One matrix of each shape is made, and copied on the device into memory of every block's own. Tokens per second are by the
wall clock, times by kind by the clock of the GPU. Stages are computed again in f64 before and after the timed tokens.

Exits with 1 when a stage is wrong or the model does not fit, with 2 when the command line is wrong.`;

const TUNINGS = ['remember', 'again', 'off'] as const;
/** Upper bound of tokens, above the context of any model. */
const MAX_TOKENS = 2 ** 17;

/** Reads a command line. Throws ArgumentError with the option, found and expected. */
export function parseDecodeArguments(argv: readonly string[], formats: readonly AnyFormat[]): DecodeArguments {
  // npm adds its own --, so this may be the second one.
  const options = readArguments(OPTIONS, argv[0] === '--' ? argv.slice(1) : argv);
  rejectOperands(options);
  const number = (name: keyof typeof OPTIONS, byDefault: number, min: number, max: number): number =>
    numberOf(`--${name}`, options.value(name) ?? String(byDefault), min, max);
  const integerOption = (name: keyof typeof OPTIONS, byDefault: number, min: number, max: number): number =>
    wholeOf(`--${name}`, options.value(name) ?? String(byDefault), min, max);

  const model = modelOf(options.value('model') ?? KNOWN_MODELS[0].name);
  const layers = integerOption('layers', model.layers, 1, model.layers);
  const ids = formats.map(({ id }) => id);
  const formatOf = (name: 'format' | 'feed-forward' | 'eight-bits', id: string): AnyFormat => {
    const format = formats.find((candidate) => candidate.id === id);
    if (format === undefined) throw new ArgumentError(`--${name}: found '${id}', expected one of ${ids.join(', ')}`);
    return format;
  };
  const id = options.value('format') ?? referenceFormat.id;
  const format = formatOf('format', id);
  const formatsOf = (name: 'feed-forward' | 'eight-bits'): readonly AnyFormat[] => {
    const formatIds = options.value(name)?.split(',') ?? [];
    if (formatIds.length > 0 && prefill === 0) {
      throw new ArgumentError(`--${name}: found no --prefill, expected how many tokens are read at once`);
    }
    return formatIds.map((formatId) => formatOf(name, formatId));
  };
  rejectIgnored(options);
  // Only --eight-bits accepts several numbers of tokens.
  const prefillText = options.value('prefill') ?? '0';
  const prefillTexts = options.has('eight-bits') ? prefillText.split(',') : [prefillText];
  const prefills = prefillTexts.map((text) => wholeOf('--prefill', text, 0, MAX_TOKENS));
  const prefill = Math.min(...prefills); // bounded: the numbers on a command line
  const feedForward = formatsOf('feed-forward');
  const i8Formats = formatsOf('eight-bits');
  const formatWithoutI8 = i8Formats.find(({ params }) => !hasI8(params));
  if (formatWithoutI8 !== undefined) {
    const formatsWithI8 = formats.flatMap(({ id: formatId, params }) => (hasI8(params) ? [formatId] : []));
    throw new ArgumentError(`--eight-bits: found '${formatWithoutI8.id}', expected one of ${formatsWithI8.join(', ')}`);
  }
  const usedIds = i8Formats.length > 0 ? i8Formats.map((i8Format) => i8Format.id) : [id];
  const paramsById = paramsOf(options.value('params') ?? null, formats, usedIds);
  const eightBits = i8Formats.flatMap((i8Format) =>
    paramsById[i8Format.id].map((params) => ({ format: i8Format, params: { ...params, valueType: 'i8' } })),
  );
  const paramChoices = eightBits.length > 0 ? [{}] : paramsById[id];
  if (paramChoices.length !== 1) {
    throw new ArgumentError(`--params: found ${paramChoices.length} choices of values, expected one`);
  }
  const tuning = TUNINGS.find((mode) => mode === (options.value('tuning') ?? 'remember'));
  if (tuning === undefined) {
    throw new ArgumentError(`--tuning: found '${options.value('tuning')}', expected one of ${TUNINGS.join(', ')}`);
  }
  return {
    model: { ...model, layers },
    format,
    params: paramChoices[0],
    density: number('density', id === referenceFormat.id ? 1 : 0.5, 0, 1),
    contexts: (options.value('context') ?? '0').split(',').map((text) => wholeOf('--context', text, 0, MAX_TOKENS)),
    prefill,
    prefills,
    eightBits,
    feedForward,
    tokens: integerOption('tokens', 100, 1, MAX_TOKENS),
    rounds: integerOption('rounds', 10, 1, 10_000),
    seed: integerOption('seed', 1, 0, 2 ** 32 - 1),
    tuning,
    json: options.value('json') ?? null,
    timesSoftware: options.has('time-software'),
  };
}

/** Options that have no effect if only a prefill is measured, by the option that requests this. */
const IGNORED = {
  'feed-forward': ['eight-bits', 'format', 'params', 'density', 'context', 'tokens', 'rounds'],
  'eight-bits': ['format', 'density', 'context', 'tokens', 'rounds'],
} as const;

/** Throws ArgumentError for options without effect, and for another value type than i8 with --eight-bits. */
function rejectIgnored(options: GivenArguments<keyof typeof OPTIONS>): void {
  for (const mode of ['feed-forward', 'eight-bits'] as const) {
    const name = options.has(mode) ? IGNORED[mode].find((option) => options.has(option)) : undefined;
    if (name !== undefined) throw new ArgumentError(`--${name}: found it with --${mode}, expected only one of them`);
  }
  const type = /\bvalueType=(?!i8(?:,|$))([^,]*)/.exec(options.value('params') ?? '');
  if (options.has('eight-bits') && type) {
    throw new ArgumentError(`--params: found valueType=${type[1]} with --eight-bits, expected i8`);
  }
}

/** Whether a format can store values as i8. */
function hasI8({ valueType }: AnyFormat['params']): boolean {
  const field: ParamField<unknown> = valueType;
  return field.kind === 'choice' && field.options.some(({ value }) => value === 'i8');
}

/** A model by its name or by its sizes. Throws ArgumentError. */
function modelOf(text: string): ModelShape {
  const dense = KNOWN_MODELS.filter(({ experts }) => !experts);
  const model = dense.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? modelOfSizes(text);
  if (model === null || model.experts || model.latent) {
    const modelNames = dense.map(({ name }) => name.toLowerCase()).join(', ');
    throw new ArgumentError(
      `--model: found '${text}', expected sizes such as 256-688-2-4-4-64-1000:tiny, or one of ${modelNames}`,
    );
  }
  return model;
}

/** The number that an option gives. Throws ArgumentError. */
function numberOf(option: string, text: string, min: number, max: number): number {
  const value = numberIn(text);
  if (value >= min && value <= max) return value;
  throw new ArgumentError(`${option}: found '${text}', expected a number from ${min} to ${max}`);
}

/** The whole number that an option gives. Throws ArgumentError. */
function wholeOf(option: string, text: string, min: number, max: number): number {
  const value = numberIn(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ArgumentError(`${option}: found '${text}', expected a whole number from ${min} to ${max}`);
}
