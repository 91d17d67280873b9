import { ArgumentError, numberIn, type Options } from '../../scripts/command-line.ts';
import { csvLine } from '../../src/core/reports/csv-line.ts';
import { CancelledError, FormatError, messageOf } from '../../src/core/errors.ts';
import type { Job } from '../../src/core/job.ts';
import { MODEL_BOUNDS } from '../../src/core/bounds/bounds.ts';
import { density, type Matrix } from '../../src/core/matrix/index.ts';
import { countText } from '../../src/core/text/words.ts';
import { type AnyFormat, resolvedParams } from '../../src/core/format.ts';
import { pruneByMagnitude } from '../../src/generate/prune.ts';
import { listTensors, fileSource, type MatrixFile, readHead, readMatrix } from '../../src/io/index.ts';
import { encode } from '../../src/lib/encode.ts';
import { formats } from '../../src/lib/formats.ts';
import {
  type Candidate,
  candidates,
  chooseFormats,
  type ChoiceMatrix,
  type FormatOption,
  matrixOptions,
  type MatrixOptions,
  type ModelChoice,
  type Objective,
  OBJECTIVES,
  type Totals,
  totalsInOneFormat,
} from '../../src/theory/choice/format-choice.ts';
import {
  CHOICE_COLUMNS,
  type ChoiceDevice,
  choiceMatrices,
  choiceRows,
  lookupBytes,
  tokenTime,
} from '../../src/theory/choice/model-choice.ts';
import { KNOWN_MODELS } from '../../src/theory/models/known-models.ts';
import { readModelConfig } from '../../src/theory/models/model-config.ts';
import type { ModelShape } from '../../src/theory/models/model-shape.ts';
import { modelId } from '../../src/theory/models/model-tree.ts';
import recorded from './recorded-times.json' with { type: 'json' };

/* `sparsescope choose`: the best format for every matrix of a file of tensors, or of a model by its sizes. */

const DEVICES: readonly (ChoiceDevice & { readonly id: string; readonly recording: string })[] = recorded.devices;

/** The models of the page that have a name here. */
const MODELS = new Map(KNOWN_MODELS.map((model) => [modelId(model), model]));

/** The options that only this command has. */
export const CHOOSE_OPTIONS = {
  objective: { value: OBJECTIVES.join('|'), help: 'fewest bytes, or least time for a token (default bytes)' },
  device: {
    value: 'ID',
    help: `${DEVICES.map(({ id }) => id).join('|')}: whose recorded times are used (default ${DEVICES[0].id})`,
  },
  prune: { value: 'PERCENT', help: 'share of the weights that is pruned by magnitude (default 0)' },
  values: { value: '16|8|4', help: 'fewest bits of a value (default 16)' },
  budget: { value: 'GB', help: 'limit of the bytes of all matrices; with --objective time' },
  csv: { help: 'the table as CSV on standard output' },
} as const satisfies Options;

export const CHOOSE_HELP = `WHAT is a file of tensors (.safetensors, .gguf, .npz ...), a config.json, or one of
${[...MODELS.keys()].join(', ')}.

Of a file, every matrix is read and pruned, and the two best formats encode it: their bytes are exact. Of a model's
sizes, bytes are expected ones of random weights. Times are interpolated from recorded ones; their spread is printed.
lm_head, routers and embeddings stay dense f16. What pruning costs in quality is not known here.

Examples:
  sparsescope choose model.safetensors --prune 50 --objective bytes
  sparsescope choose llama-2-7b --prune 70 --objective time --device h200 --budget 5`;

/** The checked values of the options. */
interface Question {
  readonly objective: Objective;
  readonly device: (typeof DEVICES)[number];
  /** share of the weights that stay, above 0 and at most 1 */
  readonly kept: number;
  readonly minBits: number;
  /** in bytes; Infinity without a limit */
  readonly budget: number;
}

type Value = (name: keyof typeof CHOOSE_OPTIONS) => string | undefined;

/** Reads the options. Throws ArgumentError for a wrong value. */
function questionOf(value: Value): Question {
  const oneOf = <T extends string>(name: keyof typeof CHOOSE_OPTIONS, known: readonly T[]): T => {
    const text = value(name) ?? known[0];
    const found = known.find((each) => each === text);
    if (found === undefined) throw new ArgumentError(`--${name}: found '${text}', expected one of ${known.join(', ')}`);
    return found;
  };
  const number = (name: 'prune' | 'budget', least: number, most: number, expected: string): number | null => {
    const text = value(name);
    if (text === undefined) return null;
    const found = numberIn(text);
    if (!(found >= least && found <= most)) throw new ArgumentError(`--${name}: found '${text}', expected ${expected}`);
    return found;
  };
  const objective = oneOf('objective', OBJECTIVES);
  const id = oneOf(
    'device',
    DEVICES.map((device) => device.id),
  );
  const budget = number('budget', 1e-6, 1e6, 'gigabytes, above 0');
  if (budget !== null && objective === 'bytes') {
    throw new ArgumentError(
      '--budget: found it with --objective bytes, expected --objective time: the fewest bytes need no limit',
    );
  }
  return {
    objective,
    device: DEVICES.find((device) => device.id === id) ?? DEVICES[0],
    kept: 1 - (number('prune', 0, 99.99, 'a percentage from 0 to 99.99') ?? 0) / 100,
    minBits: Number(oneOf('values', ['16', '8', '4'])),
    budget: budget === null ? Infinity : budget * 1e9,
  };
}

/** The data that the output is made from. */
interface Answered {
  readonly name: string;
  readonly question: Question;
  readonly all: readonly MatrixOptions[];
  /** null: even the fewest bytes exceed the budget */
  readonly choice: ModelChoice | null;
  /** of a model: its layers, to predict a whole token; null for a file */
  readonly layers: number | null;
  /** bytes of tables that are only looked up */
  readonly lookup: number;
  /** matrices that no format supports, with the reason: they stay as they are in the file, and are not counted */
  readonly unsupported: readonly string[];
  /** matrices that were not reached before the command was interrupted */
  readonly missing: number;
}

/** The result of `sparsescope choose`: facts for --json, the lines that are printed without it, the table, and CSV. */
export interface ChooseResult {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly csv: string;
  readonly wrong?: string;
}

/** Whether WHAT is the name of a known model, and no file. */
export const isKnownModel = (what: string): boolean => MODELS.has(what);

/** Chooses for a known model, by its name. */
export function chooseForModel(name: string, value: Value): ChooseResult {
  const model = MODELS.get(name);
  if (!model) throw new ArgumentError(`found '${name}', expected one of ${[...MODELS.keys()].join(', ')}`);
  return resultOf(forModel(model, questionOf(value)));
}

/** Chooses for the tensors of a file, or for the model of a config.json. Once `job` is cancelled, the rest is left. */
export async function chooseForFile(file: MatrixFile, name: string, value: Value, job: Job): Promise<ChooseResult> {
  const question = questionOf(value);
  const config = await configText(file, name);
  return resultOf(
    config === null ? await forTensors(file, name, question, job) : forModel(readModelConfig(config, name), question),
  );
}

/** One byte more than a config.json may have, so that the reader of the text rejects a larger one. */
const MAX_CONFIG = MODEL_BOUNDS.length + 1;

/** The text of a file that is a config.json by its name; null for another. */
async function configText(file: MatrixFile, name: string): Promise<string | null> {
  if (!/config\.json$/i.test(name)) return null;
  return new TextDecoder().decode(await readHead(fileSource(file), MAX_CONFIG));
}

function forModel(model: ModelShape, question: Question): Answered {
  const { kept, minBits, device, objective, budget } = question;
  const all = candidates(formats, denseOf(), minBits);
  const options = choiceMatrices(model, {
    fusion: 'fused',
    keepHead: true,
    density: kept,
    placement: 'independent',
  }).map((matrix) => matrixOptions(matrix, all, device.times));
  const lookup = lookupBytes(model);
  const choice = chooseFormats(options, objective, budget - lookup);
  return {
    name: model.name,
    question,
    all: options,
    choice,
    layers: model.layers,
    lookup,
    unsupported: [],
    missing: 0,
  };
}

const denseOf = (): AnyFormat => formats.find(({ group }) => group === 'baseline') ?? formats[0];

/** Names of tables that are only looked up, by the tensor's name in files of common models. */
const LOOKED_UP = /embed|\bwte\b|\bwpe\b/;

/** Matrices that stay dense, by the tensor's name. */
const KEPT_DENSE = /lm_head|router|\.gate\.weight$/;

async function forTensors(file: MatrixFile, name: string, question: Question, job: Job): Promise<Answered> {
  const { kept, minBits, objective, budget } = question;
  const { tensors } = await listTensors(file, {}, job);
  const matrices =
    tensors === null ? [null] : tensors.filter(({ shape, refused }) => shape.length === 2 && refused === null);
  if (matrices.length === 0) throw new ArgumentError(`'${name}': found no tensor with rows and columns, expected one`);
  const all = candidates(formats, denseOf(), minBits);
  const answered: MatrixOptions[] = [];
  const unsupported: string[] = [];
  let lookup = 0;
  let done = 0;
  for (const tensor of matrices) {
    if (job.cancelled) break;
    const title = tensor?.name ?? name;
    if (tensor && LOOKED_UP.test(title)) {
      lookup += 2 * tensor.shape[0] * tensor.shape[1];
      done++;
      continue;
    }
    job.report({ what: `${title}, ${done + 1} of ${matrices.length}`, done, total: matrices.length });
    try {
      const { matrix: read } = await readMatrix(file, tensor ? { tensor: tensor.name } : {}, job);
      const keptDense = KEPT_DENSE.test(title);
      const matrix = kept < 1 && !keptDense ? pruneByMagnitude(read, kept, job) : read;
      const options = optionsOf(matrix, { title, keptDense }, all, question);
      if (typeof options === 'string') unsupported.push(`${title}: ${options}`);
      else answered.push(options);
      done++;
    } catch (error) {
      // What was found so far is printed.
      if (!(error instanceof CancelledError)) throw error;
      break;
    }
  }
  const choice = answered.length === 0 ? null : chooseFormats(answered, objective, budget - lookup);
  return { name, question, all: answered, choice, layers: null, lookup, unsupported, missing: matrices.length - done };
}

/** The options of one read matrix, the two best with exact bytes; or why no format supports it. */
function optionsOf(
  m: Matrix,
  { title, keptDense }: { readonly title: string; readonly keptDense: boolean },
  all: readonly Candidate[],
  { objective, device: { times } }: Question,
): MatrixOptions | string {
  const { rows, cols } = m;
  const matrix: ChoiceMatrix = {
    name: title,
    rows,
    cols,
    count: 1,
    active: 1,
    density: density(m),
    placement: 'independent',
    keptDense,
  };
  const formatOf = ({ format: { id } }: Candidate): AnyFormat => formats.find((each) => each.id === id) ?? denseOf();
  const reasons: string[] = [];
  const supports = (candidate: Candidate): boolean => {
    try {
      const support = formatOf(candidate).admits(m, resolvedParams(candidate.format.params, candidate.params, m));
      if (!support.ok) reasons.push(support.reason);
      // Too large a value makes products infinite: such a format is not chosen.
      const infinite = support.ok ? support.notes.find(({ storedAs }) => storedAs === 'infinity') : undefined;
      if (infinite) reasons.push(infinite.says);
      return support.ok && !infinite;
    } catch (error) {
      reasons.push(messageOf(error));
      return false;
    }
  };
  const found = matrixOptions(matrix, all, times, supports);
  if (found.options.length === 0) return reasons[0] ?? 'no format supports it';
  const [choice] = chooseFormats([found], objective)?.choices ?? [];
  const best = [choice.chosen, choice.runnerUp];
  const options = found.options.map((option): FormatOption => {
    if (option.isExact || !best.includes(option)) return option;
    try {
      const { bytes } = encode(m, formatOf(option.candidate), { ...option.candidate.params });
      return { ...option, bytes, isExact: true };
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return option;
    }
  });
  return { matrix, options };
}

const GB = 1e9;
const gigabytes = (bytes: number): string => `${(bytes / GB).toFixed(bytes < 1e8 ? 4 : 2)} GB`;
const milliseconds = (ns: number): string => `${(ns / 1e6).toFixed(ns < 1e6 ? 4 : 2)} ms`;

/** A time with its spread: '3.51 ms ± 2 %'; 'not known' without one. */
function timeText(time: { readonly ns: number; readonly spread: number } | null): string {
  return time === null ? 'not known' : `${milliseconds(time.ns)} ± ${Math.ceil(100 * time.spread)} %`;
}

function resultOf({ name, question, all, choice, layers, lookup, unsupported, missing }: Answered): ChooseResult {
  const { device, objective, budget, kept, minBits } = question;
  const left = { ...(unsupported.length > 0 && { unsupported }), ...(missing > 0 && { notReached: missing }) };
  const interrupted =
    missing > 0 ? { wrong: `interrupted: ${countText(missing)} of the matrices were not reached` } : {};
  if (choice === null && missing > 0) return { facts: left, lines: [], columns: [], rows: [], csv: '', ...interrupted };
  if (choice === null) {
    const least = chooseFormats(all, 'bytes');
    const found = least
      ? `found at least ${gigabytes(least.bytes + lookup)}`
      : 'found no matrix that a format supports';
    const wrong = `--budget: ${found}, expected ${gigabytes(budget)} or less`;
    return { facts: { model: name, ...left }, lines: [], columns: [], rows: [], csv: '', wrong };
  }
  const [dense] = all[0].options;
  const inF16 = totalsInOneFormat(all, dense.candidate);
  const i4 = candidates(formats, denseOf(), 4).find(
    ({ format, params }) => format.id === dense.candidate.format.id && params.valueType === 'i4',
  );
  const inI4 =
    i4 &&
    totalsInOneFormat(
      all.map((one) => withCandidate(one, i4, device)),
      i4,
    );
  const token = layers === null ? null : tokenTime(choice, layers, device);
  const rows = choiceRows(choice);
  const sums = (totals: Totals) => ({
    bytes: Math.round(totals.bytes + lookup),
    matricesNs: totals.time && Math.round(totals.time.ns),
  });
  const line = (title: string, { bytes, time }: Totals): string =>
    `${title}: ${gigabytes(bytes + lookup)}, matrices of a token ${timeText(time)}`;
  return {
    facts: {
      model: name,
      objective,
      device: device.name,
      recording: device.recording,
      prunedPercent: Number((100 * (1 - kept)).toFixed(2)),
      fewestBitsOfAValue: minBits,
      ...sums(choice),
      spread: choice.time?.spread ?? null,
      ...(layers !== null && { tokenNs: token && Math.round(token.ns) }),
      denseF16: sums(inF16),
      ...(inI4 && { denseI4: sums(inI4) }),
      lookupBytes: lookup,
      ...left,
      choice: rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [CHOICE_COLUMNS[i], cell]))),
    },
    lines: [
      `model: ${name}, ${Number((100 * (1 - kept)).toFixed(2))} % pruned by magnitude, values of ${minBits} bits or more`,
      `device: ${device.name}, recording ${device.recording}`,
      line(objective === 'bytes' ? 'fewest bytes' : 'least time', choice),
      ...(token ? [`whole token: ${timeText(token)}, ${Math.round(1e9 / token.ns)} tokens a second`] : []),
      line('dense f16', inF16),
      ...(inI4 ? [line('dense i4', inI4)] : []),
      ...(lookup > 0 ? [`of all these, embedding in f16: ${gigabytes(lookup)}`] : []),
      'not known: what pruning and fewer bits cost in quality',
      ...unsupported.map((text) => `stays as it is: ${text}`),
    ],
    columns: CHOICE_COLUMNS,
    rows,
    csv: [CHOICE_COLUMNS, ...rows].map(csvLine).join(''),
    ...interrupted,
  };
}

/** The options with one format added that was not to be chosen, for its total. */
function withCandidate(one: MatrixOptions, candidate: Candidate, { times }: ChoiceDevice): MatrixOptions {
  if (one.matrix.keptDense) return one;
  const [, option] = matrixOptions(one.matrix, [one.options[0].candidate, candidate], times).options;
  return option ? { ...one, options: [...one.options, option] } : one;
}
