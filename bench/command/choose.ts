// `sparsescope choose`: finds the best format for every matrix of a file of tensors, or of a model by its sizes.

import { ArgumentError, numberIn, type Options } from '../../scripts/command-line.ts';
import { CancelledError, SparseScopeError } from '../../src/core/errors.ts';
import { finishAsync, type Job } from '../../src/core/job.ts';
import { MODEL_BOUNDS } from '../../src/core/bounds/bounds.ts';
import { toDense } from '../../src/core/matrix/index.ts';
import { threadPace } from '../../src/core/pace.ts';
import { formats, referenceFormat } from '../../src/formats/registry.ts';
import { pruneByWandaSteps, pruneSteps } from '../../src/generate/prune.ts';
import { fileSource, type MatrixFile, openContents, readHead } from '../../src/io/index.ts';
import {
  fileAnswer,
  type FileTools,
  type TensorAnswer,
  tensorAnswers,
  tensorsToRead,
} from '../../src/theory/choice/file-choice.ts';
import { candidates, matrixOptions, OBJECTIVES } from '../../src/theory/choice/format-choice.ts';
import { type ChoiceDevice, choiceMatrices, lookupBytes } from '../../src/theory/choice/model-choice.ts';
import { KNOWN_MODELS } from '../../src/theory/models/known-models.ts';
import { readModelConfig } from '../../src/theory/models/model-config.ts';
import type { ModelShape } from '../../src/theory/models/model-shape.ts';
import { modelId } from '../../src/theory/models/model-tree.ts';
import { type ChooseInput, type ChooseResult, type ChooseOptions, resultOf } from './choice-report.ts';
import recorded from './recorded-times.json' with { type: 'json' };

/** The devices with recorded times. */
const DEVICES: readonly (ChoiceDevice & { readonly id: string; readonly recording: string })[] = recorded.devices.map(
  ({ times, ...device }) => ({
    ...device,
    times: times.map(({ shapes, ...kernelTimes }) => ({
      ...kernelTimes,
      shapes: shapes.map(({ rows, cols, density, ns, spread }) => ({
        rows,
        cols,
        // The file has the columns of a table as lists: element i of each belongs to the same measurement.
        times: density.map((value, i) => ({ density: value, ns: ns[i], spread: spread[i] })),
      })),
    })),
  }),
);

/** The models that the page knows, by the names that the command accepts. */
const MODELS = new Map(KNOWN_MODELS.map((model) => [modelId(model), model]));

/** The options that only this command has. */
export const CHOOSE_OPTIONS = {
  objective: { value: OBJECTIVES.join('|'), help: 'fewest bytes, or least time for a token (default bytes)' },
  device: {
    value: 'ID',
    help: `${DEVICES.map(({ id }) => id).join('|')}: whose recorded times are used (default ${DEVICES[0].id})`,
  },
  prune: { value: 'PERCENT', help: 'share of the weights that is pruned by magnitude (default 0)' },
  norms: {
    value: 'FILE',
    help: 'for Wanda: a vector for each matrix, the norms of the inputs of its columns',
  },
  values: { value: '16|8|4', help: 'fewest bits of a value (default 16)' },
  budget: { value: 'GB', help: 'limit of the bytes of all matrices; with --objective time' },
  csv: { help: 'the table as CSV on standard output' },
} as const satisfies Options;

export const CHOOSE_HELP = `WHAT is a file of tensors (.safetensors, .gguf, .npz ...), a config.json, or one of
${[...MODELS.keys()].join(', ')}.

Of a file, every matrix is read and pruned, and the two best formats encode it: their bytes are exact. Of a model's
sizes, bytes are expected ones of random weights. Times are interpolated from recorded ones; their spread is printed.
lm_head, routers and embeddings stay dense f16. What pruning costs in quality is not known here. Without --norms it is
by magnitude: files of weights do not contain the inputs that Wanda needs.

Examples:
  sparsescope choose model.safetensors --prune 50
  sparsescope choose llama-2-7b --prune 70 --objective time --budget 5`;

/** Returns the value of an option; undefined if the command line does not have it. */
type OptionValue = (name: keyof typeof CHOOSE_OPTIONS) => string | undefined;

/** Reads the options. Throws ArgumentError for a wrong value. */
function optionsOf(value: OptionValue): ChooseOptions {
  const oneOf = <T extends string>(name: keyof typeof CHOOSE_OPTIONS, choices: readonly T[]): T => {
    const text = value(name) ?? choices[0];
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) {
      throw new ArgumentError(`--${name}: found '${text}', expected one of ${choices.join(', ')}`);
    }
    return chosen;
  };
  const number = (name: 'prune' | 'budget', min: number, max: number, expected: string): number | null => {
    const text = value(name);
    if (text === undefined) return null;
    const parsed = numberIn(text);
    if (!(parsed >= min && parsed <= max)) throw new ArgumentError(`--${name}: found '${text}', expected ${expected}`);
    return parsed;
  };
  const objective = oneOf('objective', OBJECTIVES);
  const deviceId = oneOf(
    'device',
    DEVICES.map((device) => device.id),
  );
  const budget = number('budget', 1e-6, 1e6, 'gigabytes, above 0');
  if (budget !== null && objective === 'bytes') {
    throw new ArgumentError(
      '--budget: found it with --objective bytes, expected --objective time: the fewest bytes need no limit',
    );
  }
  const keptShare = 1 - (number('prune', 0, 99.99, 'a percentage from 0 to 99.99') ?? 0) / 100;
  if (keptShare === 1 && value('norms') !== undefined) {
    throw new ArgumentError('--norms: found it without --prune, expected both: norms of inputs decide what is pruned');
  }
  return {
    objective,
    device: DEVICES.find((device) => device.id === deviceId) ?? DEVICES[0],
    keptShare,
    pruningMethod: value('norms') === undefined ? 'magnitude' : 'Wanda',
    minBits: Number(oneOf('values', ['16', '8', '4'])),
    budget: budget === null ? Infinity : budget * 1e9,
  };
}

/** Whether the operand WHAT is the name of a known model, not of a file. */
export const isKnownModel = (what: string): boolean => MODELS.has(what);

/** Chooses for a known model, by its name. */
export function chooseForModel(name: string, value: OptionValue): ChooseResult {
  const model = MODELS.get(name);
  if (!model) throw new ArgumentError(`found '${name}', expected one of ${[...MODELS.keys()].join(', ')}`);
  return resultOf(forModel(model, optionsOf(value)));
}

/**
 * Chooses for the tensors of a file, or for the model of a config.json. Once `job` is cancelled, the remaining tensors are not
 * read. `normsFile`: the norms of inputs by which Wanda prunes.
 */
export async function chooseForFile(
  file: MatrixFile,
  name: string,
  value: OptionValue,
  job: Job,
  normsFile: MatrixFile | null = null,
): Promise<ChooseResult> {
  const options = optionsOf(value);
  const config = await configText(file, name);
  if (config !== null) return resultOf(forModel(readModelConfig(config, name), options));
  const norms = normsFile && (await readNorms(normsFile, job));
  return resultOf(await forTensors(file, name, options, norms, job));
}

/** Bytes of a config.json that are read: one more than it may have, so that the reader of the text rejects a larger one. */
const CONFIG_BYTES = MODEL_BOUNDS.length + 1;

/** The text of a file that is a config.json by its name; null for another. */
async function configText(file: MatrixFile, name: string): Promise<string | null> {
  if (!/config\.json$/i.test(name)) return null;
  return new TextDecoder().decode(await readHead(fileSource(file), CONFIG_BYTES));
}

/** Chooses for the matrices of a model, of which only the sizes are known. */
function forModel(model: ModelShape, options: ChooseOptions): ChooseInput {
  if (options.pruningMethod === 'Wanda') {
    throw new ArgumentError('--norms: found it with the sizes of a model, expected a file of its weights');
  }
  const allCandidates = candidates(formats, referenceFormat, options.minBits);
  const matrices = choiceMatrices(model, {
    fusion: 'fused',
    keepHead: true,
    density: options.keptShare,
    placement: 'independent',
  }).map((matrix) => matrixOptions(matrix, allCandidates, options.device.times));
  const { name, layers } = model;
  return {
    name,
    options,
    matrices,
    layers,
    lookupBytes: lookupBytes(model),
    unreachedCount: 0,
    stopReason: null,
  };
}

/** Chooses for the tensors of a file, whose matrices are read, pruned and encoded. */
async function forTensors(
  file: MatrixFile,
  name: string,
  options: ChooseOptions,
  norms: Norms,
  job: Job,
): Promise<ChooseInput> {
  const { contents, read } = await openContents(file, {}, job);
  const tensors = { name, tensors: contents.tensors, read };
  const count = tensorsToRead(tensors).length;
  const answers: TensorAnswer[] = [];
  let stopReason: string | null = null;
  const tools: FileTools = {
    formats,
    reference: referenceFormat,
    prune: (m, density, tensor) =>
      norms ? pruneByWandaSteps(m, density, norms(tensor, m.cols)) : pruneSteps(m, density),
    finish: (steps, inner) => finishAsync(steps, inner, threadPace),
  };
  try {
    const all = tensorAnswers(tensors, { ...options, times: options.device.times }, tools, job);
    for await (const answer of all) answers.push(answer);
  } catch (error) {
    // The answers for the tensors before the interruption or the error are printed.
    const isCancelled = error instanceof CancelledError;
    if (!isCancelled && (!(error instanceof SparseScopeError) || answers.length === 0)) throw error;
    stopReason = isCancelled ? 'interrupted' : error.message;
  }
  const { all: matrices, lookup: lookupBytes, ...readResult } = fileAnswer(answers);
  if (matrices.length === 0 && stopReason === null) {
    const [first] = readResult.unread;
    const reason = first === undefined ? '' : ` that can be read (${first})`;
    throw new ArgumentError(`'${name}': found no tensor with rows and columns${reason}, expected one`);
  }
  return {
    name,
    options,
    matrices,
    layers: null,
    lookupBytes,
    fileContents: readResult,
    unreachedCount: count - answers.length,
    stopReason,
  };
}

/** Norms of the inputs of a tensor, by its name, for pruning by Wanda; null: by magnitude. */
type Norms = ((tensor: string, cols: number) => Float32Array) | null;

/** Reads a file with a vector for each tensor: the norm of the inputs of each of its columns. */
async function readNorms(file: MatrixFile, job: Job): Promise<Norms> {
  const { contents, read } = await openContents(file, {}, job);
  const vectors = new Map<string, Float32Array>();
  for (const { name, shape } of contents.tensors ?? []) {
    if (shape.length === 1) vectors.set(name, toDense((await read(name, job)).matrix));
  }
  return (tensor, cols) => {
    const norms = vectors.get(tensor);
    if (norms?.length === cols) return norms;
    const found = norms ? `${norms.length} numbers` : 'no vector';
    throw new ArgumentError(`--norms: found ${found} for '${tensor}', expected one for each of its ${cols} columns`);
  };
}
