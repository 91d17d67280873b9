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
import { type Answered, type ChooseResult, type Question, resultOf } from './choice-report.ts';
import recorded from './recorded-times.json' with { type: 'json' };

/* `sparsescope choose`: the best format for every matrix of a file of tensors, or of a model by its sizes. */

const DEVICES: readonly (ChoiceDevice & { readonly id: string; readonly recording: string })[] = recorded.devices.map(
  ({ times, ...device }) => ({
    ...device,
    times: times.map(({ shapes, ...timed }) => ({
      ...timed,
      shapes: shapes.map(({ rows, cols, density, ns, spread }) => ({
        rows,
        cols,
        times: density.map((density, i) => ({ density, ns: ns[i], spread: spread[i] })),
      })),
    })),
  }),
);

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
  const keptShare = 1 - (number('prune', 0, 99.99, 'a percentage from 0 to 99.99') ?? 0) / 100;
  if (keptShare === 1 && value('norms') !== undefined) {
    throw new ArgumentError('--norms: found it without --prune, expected both: norms of inputs decide what is pruned');
  }
  return {
    objective,
    device: DEVICES.find((device) => device.id === id) ?? DEVICES[0],
    keptShare,
    pruningMethod: value('norms') === undefined ? 'magnitude' : 'Wanda',
    minBits: Number(oneOf('values', ['16', '8', '4'])),
    budget: budget === null ? Infinity : budget * 1e9,
  };
}

/** Whether WHAT is the name of a known model, and no file. */
export const isKnownModel = (what: string): boolean => MODELS.has(what);

/** Chooses for a known model, by its name. */
export function chooseForModel(name: string, value: Value): ChooseResult {
  const model = MODELS.get(name);
  if (!model) throw new ArgumentError(`found '${name}', expected one of ${[...MODELS.keys()].join(', ')}`);
  return resultOf(forModel(model, questionOf(value)));
}

/**
 * Chooses for the tensors of a file, or for the model of a config.json. Once `job` is cancelled, the rest is left.
 * `normsFile`: norms of inputs, to prune by Wanda.
 */
export async function chooseForFile(
  file: MatrixFile,
  name: string,
  value: Value,
  job: Job,
  normsFile: MatrixFile | null = null,
): Promise<ChooseResult> {
  const question = questionOf(value);
  const config = await configText(file, name);
  if (config !== null) return resultOf(forModel(readModelConfig(config, name), question));
  const norms = normsFile && (await readNorms(normsFile, job));
  return resultOf(await forTensors(file, name, question, norms, job));
}

/** One byte more than a config.json may have, so that the reader of the text rejects a larger one. */
const MAX_CONFIG = MODEL_BOUNDS.length + 1;

/** The text of a file that is a config.json by its name; null for another. */
async function configText(file: MatrixFile, name: string): Promise<string | null> {
  if (!/config\.json$/i.test(name)) return null;
  return new TextDecoder().decode(await readHead(fileSource(file), MAX_CONFIG));
}

function forModel(model: ModelShape, question: Question): Answered {
  if (question.pruningMethod === 'Wanda') {
    throw new ArgumentError('--norms: found it with the sizes of a model, expected a file of its weights');
  }
  const all = candidates(formats, referenceFormat, question.minBits);
  const options = choiceMatrices(model, {
    fusion: 'fused',
    keepHead: true,
    density: question.keptShare,
    placement: 'independent',
  }).map((matrix) => matrixOptions(matrix, all, question.device.times));
  const { name, layers } = model;
  return { name, question, all: options, layers, lookup: lookupBytes(model), missing: 0, stopped: null };
}

async function forTensors(
  file: MatrixFile,
  name: string,
  question: Question,
  norms: Norms,
  job: Job,
): Promise<Answered> {
  const { contents, read } = await openContents(file, {}, job);
  const tensors = { name, tensors: contents.tensors, read };
  const count = tensorsToRead(tensors).length;
  const answers: TensorAnswer[] = [];
  let stopped: string | null = null;
  const tools: FileTools = {
    formats,
    reference: referenceFormat,
    prune: (m, density, tensor) =>
      norms ? pruneByWandaSteps(m, density, norms(tensor, m.cols)) : pruneSteps(m, density),
    finish: (steps, inner) => finishAsync(steps, inner, threadPace),
  };
  try {
    const all = tensorAnswers(tensors, { ...question, times: question.device.times }, tools, job);
    for await (const answer of all) answers.push(answer);
  } catch (error) {
    // What was found so far is printed.
    const isCancelled = error instanceof CancelledError;
    if (!isCancelled && (!(error instanceof SparseScopeError) || answers.length === 0)) throw error;
    stopped = isCancelled ? 'interrupted' : error.message;
  }
  const { all, lookup, ...found } = fileAnswer(answers);
  if (all.length === 0 && stopped === null) {
    const [first] = found.unread;
    const why = first === undefined ? '' : ` that can be read (${first})`;
    throw new ArgumentError(`'${name}': found no tensor with rows and columns${why}, expected one`);
  }
  return { name, question, all, layers: null, lookup, read: found, missing: count - answers.length, stopped };
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
