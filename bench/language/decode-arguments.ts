import type { AnyFormat } from '../../src/core/format.ts';
import { referenceFormat } from '../../src/formats/registry.ts';
import { type ModelShape } from '../../src/theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../src/theory/models/known-models.ts';
import { modelOfSizes } from '../../src/theory/models/model-sizes.ts';
import { ArgumentError, paramsOf } from '../arguments.ts';

/** The options of a `sparsescope tokens` command line: a model by its sizes, a format for its blocks, and what is timed. */
export interface DecodeArguments {
  readonly model: ModelShape;
  readonly format: AnyFormat;
  readonly params: Readonly<Record<string, unknown>>;
  readonly density: number;
  readonly contexts: readonly number[];
  readonly prefill: number;
  /** the numbers of tokens of a prefill, each measured: a single one, unless `eightBits` is given */
  readonly prefills: readonly number[];
  /** formats with parameters: only a prefill is measured, with blocks in i8 in each of them; empty: no such measurement */
  readonly eightBits: readonly { readonly format: AnyFormat; readonly params: Readonly<Record<string, unknown>> }[];
  /** formats: only a prefill is measured, with the feed-forward blocks of each of them; empty: no such measurement */
  readonly feedForward: readonly AnyFormat[];
  readonly tokens: number;
  readonly rounds: number;
  readonly seed: number;
  readonly tuning: 'remember' | 'again' | 'off';
  readonly json: string | null;
  /** takes times of a software adapter, too */
  readonly timesSoftware: boolean;
}

/** How many neurons are positive at a token, about, where formats compute feed-forward blocks: as in TwELL's paper. */
export const ACTIVE_NEURONS = 30;

/** The help text. */
export const DECODE_USAGE = `Usage: sparsescope tokens [option value]...

  --model NAME               ${KNOWN_MODELS[0].name.toLowerCase()}, or another that the application knows, or sizes:
                             hidden-intermediate-layers-heads-kvHeads-headDim-vocabulary:name  (default ${KNOWN_MODELS[0].name.toLowerCase()})
  --layers N                 fewer blocks than the model has
  --format ID                of the matrices of blocks; the head and the embedding are dense f16  (default dense)
  --params NAME=VALUE,...    of the format: valueType=i4
  --density D                share of non-zeros, 0 to 1              (default 0.5, of dense 1)
  --context N,...            tokens before the timed ones, a run for each  (default 0)
  --tokens N                 written in a row                        (default 100)
  --rounds N                 times that they are                     (default 10)
  --prefill N                also feed this many tokens at once
  --feed-forward ID,...      measure such a prefill alone, with the feed-forward blocks of these formats at ${ACTIVE_NEURONS} active
                             neurons a token, beside the dense matrices: dense,twell,hybrid
  --eight-bits ID,...        measure such a prefill alone, of one or several numbers of tokens, with blocks and activations
                             in i8: dense,slidesparse with --params halfGroup=4+2, beside dense f16
  --seed N                   of the matrices and the tokens          (default 1)
  --tuning remember|again|off   numbers of kernels found by trial and kept in .cache/tuning.json; found
                             anew; or as they are without a trial    (default remember)
  --json FILE                write the report, as far as it is known
  --time-software            take times of a software adapter, too: they say nothing about cards

One matrix of each shape is made, and copied on the device into memory of every block's own. Tokens per second are by the
wall clock, times by kind by the clock of the GPU. Stages are computed again in f64 before and after the timed tokens.

Exits with 1 when a stage is wrong or the model does not fit, with 2 when the command line is wrong.`;

const NAMES = [
  'model',
  'layers',
  'format',
  'params',
  'density',
  'context',
  'tokens',
  'rounds',
  'prefill',
  'feed-forward',
  'eight-bits',
  'seed',
  'tuning',
  'json',
] as const;

const TIME_SOFTWARE = '--time-software';
const TUNINGS = ['remember', 'again', 'off'] as const;
/** More tokens than any model has room for. */
const MAX_TOKENS = 2 ** 17;

/** Reads a command line. Throws ArgumentError with the option, found and expected. */
export function parseDecodeArguments(argv: readonly string[], formats: readonly AnyFormat[]): DecodeArguments {
  const given = new Map<string, string>();
  const written = argv[0] === '--' ? argv.slice(1) : argv;
  const args = written.filter((arg) => arg !== TIME_SOFTWARE);
  for (let i = 0; i < args.length; i += 2) {
    const name = NAMES.find((each) => args[i] === `--${each}`);
    if (name === undefined) {
      throw new ArgumentError(
        `found '${args[i]}', expected one of --${[...NAMES, TIME_SOFTWARE.slice(2), 'help'].join(', --')}`,
      );
    }
    if (given.has(name)) throw new ArgumentError(`--${name}: found twice, expected once`);
    const value = args.at(i + 1);
    if (i + 1 >= args.length || value === undefined || value.startsWith('--')) {
      throw new ArgumentError(`--${name}: found no value after it, expected one`);
    }
    given.set(name, value);
  }
  const number = (name: (typeof NAMES)[number], usual: number, min: number, max: number): number =>
    numberOf(`--${name}`, given.get(name) ?? String(usual), min, max);
  const whole = (name: (typeof NAMES)[number], usual: number, min: number, max: number): number =>
    wholeOf(`--${name}`, given.get(name) ?? String(usual), min, max);

  const named = modelOf(given.get('model') ?? KNOWN_MODELS[0].name);
  const layers = whole('layers', named.layers, 1, named.layers);
  const ids = formats.map(({ id }) => id);
  const formatOf = (name: 'format' | 'feed-forward' | 'eight-bits', id: string): AnyFormat => {
    const found = formats.find((each) => each.id === id);
    if (found === undefined) throw new ArgumentError(`--${name}: found '${id}', expected one of ${ids.join(', ')}`);
    return found;
  };
  const id = given.get('format') ?? referenceFormat.id;
  const format = formatOf('format', id);
  const formatsOf = (name: 'feed-forward' | 'eight-bits'): readonly AnyFormat[] => {
    const found = (given.get(name) ?? '').split(',').filter((each) => each !== '');
    if (found.length > 0 && prefill === 0) {
      throw new ArgumentError(`--${name}: found no --prefill, expected how many tokens are read at once`);
    }
    return found.map((each) => formatOf(name, each));
  };
  const texts = given.has('eight-bits') ? (given.get('prefill') ?? '0').split(',') : [given.get('prefill') ?? '0'];
  const prefills = texts.map((text) => wholeOf('--prefill', text, 0, MAX_TOKENS));
  const prefill = Math.min(...prefills); // bounded: what a person has written on a line
  const feedForward = formatsOf('feed-forward');
  const i8Formats = formatsOf('eight-bits');
  const wanted = i8Formats.length > 0 ? i8Formats.map((each) => each.id) : [id];
  const all = paramsOf(given.get('params') ?? null, formats, wanted);
  const eightBits = i8Formats.flatMap((each) =>
    all[each.id].map((params) => ({ format: each, params: { ...params, valueType: 'i8' } })),
  );
  const choices = eightBits.length > 0 ? [{}] : all[id];
  if (choices.length !== 1) {
    throw new ArgumentError(`--params: found ${choices.length} choices of values, expected one`);
  }
  const tuning = TUNINGS.find((each) => each === (given.get('tuning') ?? 'remember'));
  if (tuning === undefined) {
    throw new ArgumentError(`--tuning: found '${given.get('tuning')}', expected one of ${TUNINGS.join(', ')}`);
  }
  return {
    model: { ...named, layers },
    format,
    params: choices[0],
    density: number('density', id === referenceFormat.id ? 1 : 0.5, 0, 1),
    contexts: (given.get('context') ?? '0').split(',').map((text) => wholeOf('--context', text, 0, MAX_TOKENS)),
    prefill,
    prefills,
    eightBits,
    feedForward,
    tokens: whole('tokens', 100, 1, MAX_TOKENS),
    rounds: whole('rounds', 10, 1, 10_000),
    seed: whole('seed', 1, 0, 2 ** 32 - 1),
    tuning,
    json: given.get('json') ?? null,
    timesSoftware: args.length < written.length,
  };
}

function modelOf(text: string): ModelShape {
  const dense = KNOWN_MODELS.filter(({ experts }) => !experts);
  const model = dense.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? modelOfSizes(text);
  if (model === null || model.experts || model.latent) {
    const known = dense.map(({ name }) => name.toLowerCase()).join(', ');
    throw new ArgumentError(
      `--model: found '${text}', expected sizes such as 256-688-2-4-4-64-1000:tiny, or one of ${known}`,
    );
  }
  return model;
}

function numberOf(option: string, text: string, min: number, max: number): number {
  const value = text === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max) return value;
  throw new ArgumentError(`${option}: found '${text}', expected a number from ${min} to ${max}`);
}

function wholeOf(option: string, text: string, min: number, max: number): number {
  const value = text === '' ? Number.NaN : Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new ArgumentError(`${option}: found '${text}', expected a whole number from ${min} to ${max}`);
}
