// Measures the quality of models on tales, for the tab Quality.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { EngineHost } from '../../../../src/engine/host.ts';
import { finishPaced } from '../../../../src/engine/worker-pace.ts';
import { KernelError } from '../../../../src/core/errors.ts';
import type { Steps } from '../../../../src/core/job.ts';
import { DeviceLostError } from '../../../../src/gpu/index.ts';
import type { Decoders } from './decoders.ts';
import { type Decoder, type DecoderWeights, bosId, type Sampling } from '../../decoders/decoder.ts';
import { QualityMeter } from '../../decoders/quality/meter.ts';
import { bitsPerByte, pairedDifference } from '../../decoders/quality/text-costs.ts';
import { type ScoredText, tokenBits } from '../../decoders/token-bits.ts';
import { recipeKey } from '../../decoders/stored/recipe.ts';
import { drawTale } from '../../tales/draw.ts';
import { exactBits, judge } from '../../tales/judge.ts';
import { JobQueue } from '../../models/job-queue.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import { calibrationIds, type LoadedModels } from '../../models/loaded-models.ts';
import type { MeasuredQuality, OnQuality, QualityRequest } from './types.ts';

/**
 * Bits of a text and its eos through one decoder: equal to the bits of `QualityMeter` on the CPU, except for rounding.
 * Throws RangeError for a model without bos, and for a text that does not fit; and like `Decoder.feed`.
 */
async function textBits(decoder: Decoder, { ids }: ScoredText): Promise<number> {
  let sum = 0;
  for (const bits of await tokenBits(decoder, [...ids, ...decoder.config.eos.slice(0, 1)])) sum += bits;
  return sum;
}

/**
 * Ids, without bos and eos, of a text that a decoder writes without a prompt: the same as from `QualityMeter` with
 * the same seed, as long as the logits are equal. Throws RangeError for a model without bos, and like `Decoder.write`.
 */
async function writtenIds(decoder: Decoder, sampling: Sampling): Promise<readonly number[]> {
  const { eos, context } = decoder.config;
  const bos = bosId(decoder.config, 'writing from nothing');
  decoder.rewind(0);
  const ids: number[] = [];
  for await (const id of decoder.write(bos, context - 1, sampling)) if (!eos.includes(id)) ids.push(id);
  return ids;
}

/** The seed of the measured tales. */
const SEED = 1;
/** The sampling of tales for the judge. */
const WRITING = { seed: 1_000_000, temperature: 0.8 };
/** Maximum tales per call. */
const MAX_TALES = 1000;
/** Results are sent about as often as a user notices a difference. */
const SEND_EVERY_MS = 150;

/** A held-out tale: a short text on which no model was trained, with its floor. */
interface Tale extends ScoredText {
  /** its number among the tales of the seed */
  readonly number: number;
  /** lower bound on the mean bits that a model needs for it */
  readonly floor: number;
}

/** The measurements of one model with one recipe (pruning, value type); further requests add more. */
interface ModelSamples {
  readonly bits: number[];
  unbroken: number;
  judged: number;
  /** by law of tales/judge.ts, in how many tales this was the first law broken */
  readonly firstBroken: Record<string, number>;
  readonly where: Set<'gpu' | 'cpu'>;
}

/** Measures how well models predict and write tales: on a GPU, or without one on the CPU, many tokens at a time. */
export class QualityMeasurer {
  readonly #models: LoadedModels;
  readonly #host: EngineHost;
  readonly #decoders: Pick<Decoders, 'open'>;
  /** the current measurement on a device, and whether it has to release that device */
  #onDevice: Promise<unknown> = Promise.resolve();
  #hasToLeave = false;
  #meter: { readonly model: LoadedModel; readonly meter: QualityMeter } | null = null;
  readonly #tales = new Map<string, Tale[]>();
  readonly #measured = new Map<string, ModelSamples>();
  readonly #queue = new JobQueue();

  constructor(models: LoadedModels, host: EngineHost, decoders: Pick<Decoders, 'open'>) {
    this.#models = models;
    this.#host = host;
    this.#decoders = decoders;
  }

  /** Releases the device: the current measurement continues on this thread. Resolves when the device is released. */
  async leaveDevice(): Promise<void> {
    this.#hasToLeave = true;
    await this.#onDevice;
  }

  /**
   * Bits of tales under a pruned model, and verdicts on tales that it writes. Throws RangeError, ReadError,
   * CancelledError.
   */
  async measure(job: ServiceJob, request: QualityRequest, onQuality: OnQuality): Promise<MeasuredQuality> {
    checkCount('tales', request.tales);
    checkCount('judged', request.judged);
    return this.#queue.run(job, () => this.#measure(job, request, onQuality));
  }

  async #measure(job: ServiceJob, request: QualityRequest, onQuality: OnQuality): Promise<MeasuredQuality> {
    const model = await this.#models.load(request.model, job);
    const meter = this.#meterOf(model);
    const key = `${model.id} ${recipeKey(request.recipe)}`;
    const samples = this.#measured.get(key) ?? { bits: [], unbroken: 0, judged: 0, firstBroken: {}, where: new Set() };
    this.#measured.set(key, samples);
    if (samples.bits.length < request.tales || samples.judged < request.judged) {
      const weights = await this.#models.pruned(model, request.recipe, job);
      this.#hasToLeave = false;
      const onDevice = this.#measureOnDevice(job, model, weights, samples, request, onQuality);
      this.#onDevice = onDevice.catch(() => {});
      await onDevice;
      await finishPaced(this.#measureOnCpuSteps(model, meter, weights, samples, request, onQuality), job, this.#host);
    }
    return this.#result(model, samples);
  }

  /** Measures through a chain of kernels until the device fails: tale by tale, and text by text. */
  async #measureOnDevice(
    job: ServiceJob,
    model: LoadedModel,
    weights: DecoderWeights,
    samples: ModelSamples,
    { tales, judged }: QualityRequest,
    onQuality: OnQuality,
  ): Promise<void> {
    if (model.config.bos === null) return;
    const { decoder, where } = await this.#decoders.open(model, weights, null, job);
    const total = tales + judged;
    /** Reports the progress; false if the device has to be released. */
    const mayContinue = (): boolean => {
      job.throwIfCancelled();
      job.report({ what: 'Measuring', done: samples.bits.length + samples.judged, total });
      return !this.#hasToLeave;
    };
    try {
      if (where === 'cpu') return;
      const sendIfDue = this.#sender(model, samples, onQuality);
      const sendDeviceResult = (): void => {
        samples.where.add('gpu');
        sendIfDue();
      };
      while (samples.bits.length < tales && mayContinue()) {
        const firstTale = samples.bits.length;
        const [tale] = this.#talesOf(model, firstTale + 1).slice(firstTale);
        samples.bits.push(await textBits(decoder, tale));
        sendDeviceResult();
      }
      while (samples.judged < judged && mayContinue()) {
        const ids = await writtenIds(decoder, { ...WRITING, seed: WRITING.seed + samples.judged });
        addVerdict(samples, model.tokenizer.decode(ids));
        sendDeviceResult();
      }
    } catch (error) {
      // The rest is measured on this thread.
      if (!(error instanceof DeviceLostError || error instanceof KernelError)) throw error;
    } finally {
      decoder.destroy();
    }
  }

  *#measureOnCpuSteps(
    model: LoadedModel,
    meter: QualityMeter,
    weights: DecoderWeights,
    samples: ModelSamples,
    { tales, judged }: QualityRequest,
    onQuality: OnQuality,
  ): Steps<void> {
    const sendIfDue = this.#sender(model, samples, onQuality);
    for (let index = samples.bits.length; index < tales; index++) {
      const [tale] = this.#talesOf(model, index + 1).slice(index);
      samples.bits.push(yield* meter.textSteps(weights, tale));
      samples.where.add('cpu');
      sendIfDue();
    }
    const missingTexts = judged - samples.judged;
    if (missingTexts <= 0) return;
    const sampling = { ...WRITING, seed: WRITING.seed + samples.judged };
    const texts: string[] = [];
    yield* meter.writeSteps(weights, missingTexts, sampling, (ids) => {
      texts.push(model.tokenizer.decode(ids));
    });
    // All of them or none: texts that end early are not representative.
    for (const text of texts) {
      addVerdict(samples, text);
      samples.where.add('cpu');
      yield { what: 'Judging', done: samples.judged, total: judged };
      sendIfDue();
    }
  }

  /** A function that sends the results so far, unless it has just sent some. */
  #sender(model: LoadedModel, samples: ModelSamples, onQuality: OnQuality): () => void {
    let sentAt = Number.NEGATIVE_INFINITY;
    return () => {
      if (this.#host.now() - sentAt < SEND_EVERY_MS) return;
      sentAt = this.#host.now();
      void onQuality(this.#result(model, samples));
    };
  }

  #result(model: LoadedModel, { bits, unbroken, judged, firstBroken, where }: ModelSamples): MeasuredQuality {
    const tales = this.#talesOf(model, bits.length);
    const bytes = tales.map((tale) => tale.bytes);
    const floors = tales.map((tale) => tale.floor);
    return {
      tales: bits.length,
      bytes: bytes.reduce((a, b) => a + b, 0),
      ...bitsPerByte({ bits, bytes }),
      floor: bitsPerByte({ bits: floors, bytes }).bitsPerByte,
      lost: pairedDifference(bits, floors),
      bits: [...bits],
      judged,
      unbroken,
      firstBroken: { ...firstBroken },
      where: [...where],
    };
  }

  /** Only one meter is kept, with its weights in f32. */
  #meterOf(model: LoadedModel): QualityMeter {
    if (this.#meter?.model !== model) {
      this.#meter = { model, meter: new QualityMeter(model.config, model.weights, calibrationIds(model)) };
    }
    return this.#meter.meter;
  }

  /** The first `count` held-out tales that fit into the model's context. */
  #talesOf(model: LoadedModel, count: number): readonly Tale[] {
    const tales = this.#tales.get(model.id) ?? [];
    this.#tales.set(model.id, tales);
    const meter = this.#meterOf(model);
    for (let number = (tales.at(-1)?.number ?? -1) + 1; tales.length < count; number++) {
      const { text, bits } = drawTale('held-out', SEED, number);
      const ids = model.tokenizer.encode(text);
      const scoredText = { ids, bytes: new TextEncoder().encode(text).length };
      if (!meter.fits(scoredText)) continue;
      const exact = exactBits(text);
      tales.push({ ...scoredText, floor: exact.complete ? exact.bits : bits, number });
    }
    return tales.slice(0, count);
  }
}

/** Judges a text and adds the verdict. */
function addVerdict(samples: ModelSamples, text: string): void {
  const { broken } = judge(text);
  samples.judged++;
  if (broken === null) samples.unbroken++;
  else samples.firstBroken[broken.law] = (samples.firstBroken[broken.law] ?? 0) + 1;
}

function checkCount(name: string, count: number): void {
  if (Number.isInteger(count) && count >= 0 && count <= MAX_TALES) return;
  throw new RangeError(`${name}: found ${count}, expected a whole number up to ${MAX_TALES}`);
}
