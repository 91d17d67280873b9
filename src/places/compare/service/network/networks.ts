import { SparseScopeError } from '../../../../core/errors.ts';
import { finish } from '../../../../core/job.ts';
import { PIXELS } from '../../../../generate/digit-images.ts';
import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import { finishPaced } from '../../../../engine/pace.ts';
import { asReadSteps } from './forward.ts';
import {
  CALIBRATION_IMAGES,
  drawImagesSteps,
  type ImageSet,
  TEST_SEED,
  TRAINING_SEED,
} from '../../../../generate/digit-sets.ts';
import { type Network, readNetwork } from './network.ts';
import { inputNormsSteps } from './prune.ts';
import { activationsSteps, type NetworkHost, refusalOf, runNetwork, type StoredNetwork, storeNetwork } from './run.ts';
import {
  type DigitAnswer,
  type DigitRequest,
  type LayerActivations,
  type NetworkChoice,
  type NetworkRequest,
  type NetworkResult,
  TEST_IMAGES,
  type TestImages,
} from './types.ts';

/** A network with the norms of its layers' inputs. */
interface Held {
  readonly url: string;
  readonly network: Network;
  readonly norms: readonly Float32Array[];
}

/** Stored networks kept in memory, so that the next drawn digit is answered at once. */
const KEPT = 4;

/** The page's network: read on first use, and kept. */
export class Networks {
  readonly #host: NetworkHost;
  readonly #download: (url: string, job: ServiceJob) => Promise<{ name: string; bytes: Uint8Array }>;
  #held: Held | null = null;
  #images: ImageSet = { pixels: new Float32Array(0), labels: new Uint8Array(0) };
  /** by choice, least recently used first */
  readonly #stored = new Map<string, StoredNetwork>();

  constructor(
    host: NetworkHost,
    download: (url: string, job: ServiceJob) => Promise<{ name: string; bytes: Uint8Array }>,
  ) {
    this.#host = host;
    this.#download = download;
  }

  /** Column norms of every layer, once read: see `inputNormsSteps`. */
  get norms(): readonly Float32Array[] | null {
    return this.#held?.norms ?? null;
  }

  /**
   * Runs every choice in turn and hands out its result at once. Throws ReadError if the network cannot be read,
   * SparseScopeError for an invalid number of images, and CancelledError.
   */
  async run(
    { url, images: count, choices }: NetworkRequest,
    job: ServiceJob,
    onResult: (result: NetworkResult) => void | Promise<void>,
  ): Promise<void> {
    const images = await this.#testImages(count, job);
    const held = await this.#hold(url, job);
    for (const [index, choice] of choices.entries()) {
      try {
        const stored = await storeNetwork(held.network, held.norms, choice, job, this.#host);
        await onResult({ index, choice, ...(await runNetwork(stored, images, choice.where, job, this.#host)) });
      } catch (error) {
        job.throwIfCancelled();
        await onResult({ index, choice, kind: 'refused', reason: refusalOf(error) });
      }
    }
  }

  /** One image through the whole and the pruned network. Throws like `run`. */
  async digit({ url, image, choice }: DigitRequest, job: ServiceJob): Promise<DigitAnswer> {
    const held = await this.#hold(url, job);
    const { pixels, label } = await this.#image(image, job);
    const answer = async (asked: NetworkChoice): Promise<readonly LayerActivations[]> => {
      const stored = await this.#store(held, asked, job);
      const outputs = finish(activationsSteps(stored, pixels));
      return outputs.map((values, k) => ({ name: held.network.layers[k].name, values }));
    };
    const whole = await answer({ ...choice, pruning: null }).catch((error: unknown) => {
      // A format that only holds pruned weights cannot store the whole network, which then runs as it was read.
      refusalOf(error);
      return this.#asRead(held, pixels);
    });
    const pruned = await answer(choice).catch((error: unknown) => ({ refused: refusalOf(error) }));
    return { pixels, label, whole, pruned };
  }

  /** `count` test images, starting at `first`. */
  async testImages(first: number, count: number, job: ServiceJob): Promise<TestImages> {
    const { pixels, labels } = await this.#testImages(first + count, job);
    return { pixels: pixels.slice(first * PIXELS), labels: labels.slice(first) };
  }

  #asRead({ network }: Held, pixels: Float32Array): readonly LayerActivations[] {
    return finish(asReadSteps(network, pixels)).map((values, k) => ({ name: network.layers[k].name, values }));
  }

  async #image(image: DigitRequest['image'], job: ServiceJob): Promise<{ pixels: Float32Array; label: number | null }> {
    if ('pixels' in image) {
      if (image.pixels.length === PIXELS) return { pixels: image.pixels, label: null };
      throw new SparseScopeError(`digit: found ${image.pixels.length} pixels, expected ${PIXELS}`);
    }
    const { pixels, labels } = await this.#testImages(image.test + 1, job);
    return { pixels: pixels.slice(image.test * PIXELS), label: labels[image.test] };
  }

  /** The first `count` test images; drawn once. */
  async #testImages(count: number, job: ServiceJob): Promise<ImageSet> {
    if (!Number.isInteger(count) || count < 1 || count > TEST_IMAGES) {
      throw new SparseScopeError(`images: found ${count}, expected a whole number from 1 to ${TEST_IMAGES}`);
    }
    if (this.#images.labels.length < count) {
      this.#images = await finishPaced(drawImagesSteps(TEST_SEED, count), job, this.#host);
    }
    const { pixels, labels } = this.#images;
    return { pixels: pixels.subarray(0, count * PIXELS), labels: labels.subarray(0, count) };
  }

  async #hold(url: string, job: ServiceJob): Promise<Held> {
    if (this.#held?.url === url) return this.#held;
    const network = await readNetwork(await this.#download(url, job), job);
    const { pixels } = await finishPaced(drawImagesSteps(TRAINING_SEED, CALIBRATION_IMAGES), job, this.#host);
    const norms = await finishPaced(inputNormsSteps(network, pixels), job, this.#host);
    this.#held = { url, network, norms };
    this.#stored.clear();
    return this.#held;
  }

  async #store(held: Held, choice: NetworkChoice, job: ServiceJob): Promise<StoredNetwork> {
    const key = JSON.stringify([choice.format, choice.params, choice.pruning, choice.layers]);
    const stored = this.#stored.get(key) ?? (await storeNetwork(held.network, held.norms, choice, job, this.#host));
    this.#stored.delete(key);
    this.#stored.set(key, stored);
    for (const oldest of this.#stored.keys()) {
      if (this.#stored.size <= KEPT) break;
      this.#stored.delete(oldest);
    }
    return stored;
  }
}
