// Measures how well models predict a text of the user.

import { KernelError } from '../../../../src/core/errors.ts';
import type { Steps } from '../../../../src/core/job.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { JobQueue } from '../../models/job-queue.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import { finishPaced, type WorkerPace } from '../../../../src/engine/worker-pace.ts';
import { DeviceLostError } from '../../../../src/gpu/index.ts';
import type { DecoderWeights } from '../../decoders/decoder.ts';
import { QualityMeter } from '../../decoders/quality/meter.ts';
import { type PrunedPart, pieceSensitivitySteps } from '../../decoders/quality/sensitivity.ts';
import { tokenBits } from '../../decoders/token-bits.ts';
import { USER_TEXT_LENGTH } from '../../theory/imported.ts';
import { bytesOfPiece } from '../../decoders/piece-bytes.ts';
import type { Decoders } from './decoders.ts';
import type { OnPartLoss, MeasuredParts, PartsRequest, UserTextQuality, UserTextRequest } from './types.ts';

/** Maximum tokens of a piece of text, since longer pieces need more memory. */
const MAX_PIECE = 1024;

/** Maximum tokens for measuring parts of a model: the CPU measures hundreds of parts. */
const PART_TOKENS = 256;

/** A text in pieces, each short enough for a model to read. */
interface TextPieces {
  /** token ids, without bos */
  readonly pieces: readonly (readonly number[])[];
  /** bytes that the model predicts: without bos, all bytes except for the first token of each piece */
  readonly bytes: number;
  /** the number of tokens that the model predicts */
  readonly tokens: number;
}

/** The pieces of the user's text, each as long as the model can read at once. */
function textPieces({ config, tokenizer }: Pick<LoadedModel, 'config' | 'tokenizer'>, text: string): TextPieces {
  const ids = tokenizer.encode(text);
  const length = Math.min(MAX_PIECE, config.context - (config.bos === null ? 0 : 1));
  const pieces = Array.from({ length: Math.ceil(ids.length / length) }, (_, i) =>
    ids.slice(i * length, (i + 1) * length),
  );
  const encoder = new TextEncoder();
  const firstTokenBytes = ([first]: readonly number[], i: number): number => {
    const tokenText = tokenizer.piece(first);
    // Some tokenizers put a space before a text.
    const userPart = i === 0 && !text.startsWith(' ') ? tokenText.replace(/^ /, '') : tokenText;
    return bytesOfPiece(userPart).length;
  };
  // Without bos, nothing precedes the first token of a piece, so the model does not predict it.
  const unpredictedBytes = config.bos === null ? pieces.map(firstTokenBytes) : [];
  return {
    pieces,
    bytes: encoder.encode(text).length - sumOf(unpredictedBytes),
    tokens: ids.length - unpredictedBytes.length,
  };
}

/** Measures a model on the user's text: on a GPU if there is one, else on this thread. */
export class UserTextMeasurer {
  readonly #models: Pick<LoadedModels, 'load' | 'pruned'>;
  readonly #host: WorkerPace;
  readonly #decoders: Pick<Decoders, 'open'>;
  #meter: { readonly model: LoadedModel; readonly meter: QualityMeter } | null = null;
  #onDevice: Promise<unknown> = Promise.resolve();
  /** whether the current measurement has to release the device */
  #hasToLeave = false;
  readonly #queue = new JobQueue();

  constructor(models: Pick<LoadedModels, 'load' | 'pruned'>, host: WorkerPace, decoders: Pick<Decoders, 'open'>) {
    this.#models = models;
    this.#host = host;
    this.#decoders = decoders;
  }

  /** Releases the device: the rest is measured on this thread. Resolves when it is released. */
  async leaveDevice(): Promise<void> {
    this.#hasToLeave = true;
    await this.#onDevice;
  }

  /** Releases the weights of the last measured model. */
  forget(): void {
    this.#meter = null;
  }

  /** Bits of the user's text under a pruned model. Throws ReadError, CancelledError; RangeError for its length. */
  async measure(job: ServiceJob, request: UserTextRequest): Promise<UserTextQuality> {
    checkLength(request.text);
    return this.#queue.run(job, () => this.#measure(job, request));
  }

  /** Extra bits of the text's beginning if a layer, kind or matrix is pruned alone, for each. Throws like `measure`. */
  async parts(job: ServiceJob, request: PartsRequest, onPart: OnPartLoss): Promise<MeasuredParts> {
    checkLength(request.text);
    return this.#queue.run(job, async () => {
      const model = await this.#models.load(request.model, job);
      const ids = textPieces(model, request.text).pieces[0].slice(0, PART_TOKENS);
      // The result must arrive after the last part.
      let reported: Promise<unknown> = Promise.resolve();
      const report = (part: PrunedPart, lost: number): void =>
        void (reported = Promise.all([reported, onPart(part, lost)]));
      const steps = pieceSensitivitySteps(this.#meterOf(model), model.weights, ids, request.density, report);
      const bits = await finishPaced(steps, job, this.#host);
      await reported;
      return { tokens: ids.length, bits };
    });
  }

  async #measure(job: ServiceJob, { model: address, recipe, text }: UserTextRequest): Promise<UserTextQuality> {
    const model = await this.#models.load(address, job);
    const weights = await this.#models.pruned(model, recipe, job);
    const { pieces, bytes, tokens } = textPieces(model, text);
    this.#hasToLeave = false;
    const onDevice = this.#deviceBits(model, weights, pieces, job);
    this.#onDevice = onDevice.catch(() => {});
    const deviceBits = await onDevice;
    const isMeasuredOnDevice = deviceBits.length === pieces.length;
    const steps = (): Steps<number[]> => threadBitsSteps(this.#meterOf(model), weights, pieces, deviceBits.length);
    const threadBits = isMeasuredOnDevice ? [] : await finishPaced(steps(), job, this.#host);
    return {
      bits: sumOf([...deviceBits, ...threadBits]),
      bytes,
      tokens,
      pieces: pieces.length,
      where: isMeasuredOnDevice ? 'gpu' : 'cpu',
    };
  }

  /**
   * Bits of each piece, computed on the GPU: of the first pieces only if the device fails or has to be released, and of
   * none without a GPU or bos.
   */
  async #deviceBits(
    model: LoadedModel,
    weights: DecoderWeights,
    pieces: readonly (readonly number[])[],
    job: ServiceJob,
  ): Promise<readonly number[]> {
    const bits: number[] = [];
    if (model.config.bos === null) return bits;
    const { decoder, where } = await this.#decoders.open(model, weights, null, job);
    try {
      if (where === 'cpu') return bits;
      for (const [i, piece] of pieces.entries()) {
        if (this.#hasToLeave) break;
        job.throwIfCancelled();
        job.report({ what: 'Measuring', done: i, total: pieces.length });
        bits.push(sumOf(await tokenBits(decoder, piece)));
      }
    } catch (error) {
      // The rest is measured on this thread.
      if (!(error instanceof DeviceLostError || error instanceof KernelError)) throw error;
    } finally {
      decoder.destroy();
    }
    return bits;
  }

  /** The meter of a model; only the last one is cached, since it stores the weights a second time. */
  #meterOf(model: LoadedModel): QualityMeter {
    if (this.#meter?.model !== model) this.#meter = { model, meter: new QualityMeter(model.config, model.weights, []) };
    return this.#meter.meter;
  }
}

function checkLength({ length }: string): void {
  if (length >= USER_TEXT_LENGTH.min && length <= USER_TEXT_LENGTH.max) return;
  throw new RangeError(`text: found ${length} characters, expected ${USER_TEXT_LENGTH.min} to ${USER_TEXT_LENGTH.max}`);
}

/** Bits of the pieces from index `first` on, computed on this thread, with progress over all pieces. */
function* threadBitsSteps(
  meter: QualityMeter,
  weights: DecoderWeights,
  pieces: readonly (readonly number[])[],
  first: number,
): Steps<number[]> {
  const { layers } = meter.config;
  const bits: number[] = [];
  for (let i = first; i < pieces.length; i++) {
    const steps = meter.pieceSteps(weights, pieces[i]);
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      yield { what: 'Measuring', done: i * layers + (step.value?.done ?? 0), total: pieces.length * layers };
    }
    bits.push(step.value);
  }
  return bits;
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
