import { arrayBytes } from '../../core/encoded/encoded.ts';
import { FormatError, SparseScopeError } from '../../core/errors.ts';
import { type AnyFormat, resolvedParams } from '../../core/format.ts';
import { type Job, type Steps, withReport } from '../../core/job.ts';
import { density, type Matrix } from '../../core/matrix/index.ts';
import { throwIfCancelled } from '../../core/pace.ts';
import { losslessSteps } from '../lossless-bits.ts';
import {
  type Candidate,
  candidates,
  chooseFormats,
  type ChoiceMatrix,
  keyOf,
  matrixOptions,
  type MatrixOptions,
  type Objective,
  widestCandidate,
} from './format-choice.ts';
import type { TimedFormat } from './predicted-times.ts';

/* Which format for which tensor of a file: every matrix is read and pruned, and the two best formats encode it. */

/** A tensor as a file lists it. */
interface ListedTensor {
  readonly name: string;
  /** empty if it is known only after reading */
  readonly shape: readonly number[];
  /** why it cannot be read, in the words 'found ..., expected ...'; null if it can */
  readonly refused: string | null;
}

/** An open file of tensors. */
export interface TensorFile {
  readonly name: string;
  /** null if the file is one matrix */
  readonly tensors: readonly ListedTensor[] | null;
  /** Reads a tensor, or the one matrix of the file (null). Throws ReadError and CancelledError. */
  read(tensor: string | null, job: Job): Promise<{ readonly matrix: Matrix }>;
}

/** The settings of a choice of formats for a file: the objective, and how weights may be pruned and rounded. */
export interface FileQuestion {
  readonly objective: Objective;
  /** times of a device */
  readonly times: readonly TimedFormat[];
  /** share of the weights that stay, those of the largest magnitude in each matrix: above 0 and at most 1 */
  readonly keptShare: number;
  /** fewest bits of a value */
  readonly minBits: number;
}

/** The formats to choose from, and functions for long work. */
export interface FileTools {
  readonly formats: readonly AnyFormat[];
  /** dense */
  readonly reference: AnyFormat;
  /** Prunes the tensor of this name to a density. */
  readonly prune: (m: Matrix, density: number, tensor: string) => Steps<Matrix>;
  /** Runs steps to the end, with pauses. Throws CancelledError. */
  readonly finish: <T>(steps: Steps<T>, job: Job) => Promise<T>;
}

/** What was found for one tensor. */
export interface TensorAnswer {
  /** null for a tensor that is not multiplied with, or could not be read */
  readonly options: MatrixOptions | null;
  /** bytes of a table that is only looked up, in f16; else 0 */
  readonly lookup: number;
  /** bytes of all its weights, unpruned, in a lossless code of their exponents */
  readonly losslessBytes: number;
  /** why no format to choose from supports it, so that it stays dense with its widest values; else null */
  readonly unsupported: string | null;
  /** why it cannot be read, so that it is not counted; else null */
  readonly unread: string | null;
}

/** The answers for the tensors of a file together. */
export interface FileAnswer {
  readonly all: readonly MatrixOptions[];
  readonly lookup: number;
  readonly losslessBytes: number;
  /** 'NAME: why' */
  readonly unsupported: readonly string[];
  readonly unread: readonly string[];
}

/** Names of tables that are only looked up, in files of common models. */
const LOOKED_UP = /embed|embd|\bw[tp]e\b/;

/** Names of matrices that stay dense, in files of common models. */
const KEPT_DENSE = /lm_head|^output\.weight$|router|\.gate\.weight$|ffn_gate_inp/;

/** The tensors of a file to answer for, in their order: those with rows and columns. Vectors are left out. */
export function tensorsToRead({ tensors }: Pick<TensorFile, 'tensors'>): readonly (ListedTensor | null)[] {
  return (
    tensors?.filter(({ shape, refused }) => shape.length > 1 || (shape.length === 0 && refused === null)) ?? [null]
  );
}

/**
 * Answers for one tensor after the other, from number `from` on. Reports the tensor as progress. At most one matrix, its
 * pruned copy and one encoding are in memory. Throws what `read` throws, and CancelledError; answers until then are valid.
 */
export async function* tensorAnswers(
  file: TensorFile,
  question: FileQuestion,
  tools: FileTools,
  job: Job,
  from = 0,
): AsyncGenerator<TensorAnswer, void, void> {
  const tensors = tensorsToRead(file);
  const all = candidates(tools.formats, tools.reference, question.minBits);
  // Progress counts tensors: the progress within each would jump back and forth.
  const inner = withReport(job);
  for (const [i, tensor] of tensors.entries()) {
    if (i < from) continue;
    throwIfCancelled(job);
    const name = tensor?.name ?? file.name;
    job.report({ what: `${name}, ${i + 1} of ${tensors.length}`, done: i, total: tensors.length });
    const none = { options: null, lookup: 0, losslessBytes: 0, unsupported: null, unread: null };
    if (tensor && tensor.refused !== null) yield { ...none, unread: `${name}: ${tensor.refused}` };
    else if (tensor?.shape.length === 2 && LOOKED_UP.test(name)) {
      const lookup = 2 * tensor.shape[0] * tensor.shape[1];
      yield { ...none, lookup, losslessBytes: lookup };
    } else {
      const { matrix } = await file.read(tensor?.name ?? null, inner);
      yield { ...none, ...(await tools.finish(answerSteps(matrix, name, all, question, tools), inner)) };
    }
  }
}

/** Adds up answers. */
export function fileAnswer(answers: readonly TensorAnswer[]): FileAnswer {
  const sum = (of: (answer: TensorAnswer) => number): number => answers.reduce((total, one) => total + of(one), 0);
  return {
    all: answers.flatMap(({ options }) => options ?? []),
    lookup: sum(({ lookup }) => lookup),
    losslessBytes: sum(({ losslessBytes }) => losslessBytes),
    unsupported: answers.flatMap(({ unsupported }) => unsupported ?? []),
    unread: answers.flatMap(({ unread }) => unread ?? []),
  };
}

/** The answer for a matrix that was read. */
function* answerSteps(
  unpruned: Matrix,
  name: string,
  all: readonly Candidate[],
  { keptShare, objective, times }: FileQuestion,
  { formats, reference, prune }: FileTools,
): Steps<Pick<TensorAnswer, 'options' | 'losslessBytes' | 'unsupported'>> {
  const cells = unpruned.rows * unpruned.cols;
  const lossless = yield* losslessSteps([unpruned]);
  const keptDense = KEPT_DENSE.test(name);
  const m = keptShare < 1 && !keptDense ? yield* prune(unpruned, keptShare, name) : unpruned;
  const { rows, cols } = m;
  const matrix: ChoiceMatrix = {
    name,
    rows,
    cols,
    count: 1,
    active: 1,
    density: density(m),
    placement: 'independent',
    keptDense,
  };
  const formatOf = ({ format: { id } }: Candidate): AnyFormat =>
    formats.find((candidate) => candidate.id === id) ?? reference;
  const paramsOf = ({ format, params }: Candidate) => resolvedParams(format.params, params, m);

  const supported = new Set<string>();
  const reasons: string[] = [];
  for (const candidate of keptDense ? all.slice(0, 1) : all) {
    const reason = rejectionOf(formatOf(candidate), m, paramsOf(candidate));
    if (reason === null) supported.add(keyOf(candidate));
    else reasons.push(reason);
    yield { what: 'Checking formats', done: 0, total: 1 };
  }
  const losslessBytes = cells === 0 ? 0 : (lossless.bits * cells) / 8;
  let options = matrixOptions(matrix, all, times, (candidate) => supported.has(keyOf(candidate)));
  // Encodes the best or second-best format until the bytes of both are exact.
  for (;;) {
    if (options.options.length === 0) {
      const dense = matrixOptions({ ...matrix, keptDense: true }, [widestCandidate(reference)], times, () => true);
      return {
        options: dense,
        // A code of f16 would round weights that have to stay in the widest type, so the bytes of that type count.
        losslessBytes: lossless.type === 'f16' ? dense.options[0].bytes : losslessBytes,
        unsupported: `${name}: ${reasons[0] ?? 'no format supports it'}`,
      };
    }
    const best = chooseFormats([options], objective)?.choices[0];
    const next = [best?.chosenOption, best?.runnerUp].find((option) => option && !option.isExact);
    if (!next) return { options, losslessBytes, unsupported: null };
    // Its exact bytes may make another format the best, which is encoded next.
    let bytes: number | null = null;
    try {
      bytes = arrayBytes(yield* formatOf(next.candidate).encodeSteps(m, paramsOf(next.candidate)));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      reasons.push(error.message);
    }
    const exact = bytes === null ? [] : [{ ...next, bytes, isExact: true }];
    options = { matrix, options: options.options.flatMap((option) => (option === next ? exact : [option])) };
  }
}

/** Why a format is not chosen for a matrix; null if it may be. */
function rejectionOf(format: AnyFormat, m: Matrix, params: Candidate['params']): string | null {
  try {
    const support = format.admits(m, params);
    if (!support.ok) return support.reason;
    // Too large a value makes products infinite.
    return support.notes.find(({ storedAs }) => storedAs === 'infinity')?.says ?? null;
  } catch (error) {
    if (error instanceof SparseScopeError) return error.message;
    throw error;
  }
}
