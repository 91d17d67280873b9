// Opens the decoders of models on the GPU or on this thread, caches chains for reuse, and times tokens.

import { FormatError, KernelError, MatrixError } from '../../../../src/core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams, storedKey } from '../../../../src/core/format.ts';
import { type DenseMatrix, denseMatrix } from '../../../../src/core/matrix/index.ts';
import { withReport } from '../../../../src/core/job.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { EngineHost } from '../../../../src/engine/host.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import { finishPaced } from '../../../../src/engine/worker-pace.ts';
import { referenceFormat } from '../../../../src/formats/registry.ts';
import { DeviceLostError, type GpuContext, NoDeviceError } from '../../../../src/gpu/index.ts';
import { median } from '../../../../src/core/number/statistics.ts';
import { Chain } from '../../decoders/chain/chain.ts';
import { chainTimes } from '../../decoders/chain/chain-times.ts';
import { ratesInTurns } from './rates.ts';
import type { FormatUse, TokenTimes } from './types.ts';
import { areExactInF16, type EncodeForChain, encodeModel } from '../../decoders/chain/encode-model.ts';
import { chainMatrix } from '../../decoders/chain/kernels.ts';
import { chainRejection } from '../../decoders/chain/rejection.ts';
import { type CpuDecoderOptions, cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import type { ChainMatrix } from '../../decoders/chain/weights.ts';
import type { MatrixStorage } from '../../decoders/shapes/generated-model.ts';
import {
  blockMatrices,
  type BlockMatrix,
  blockMatrixShape,
  type Decoder,
  type DecoderConfig,
  type DecoderWeights,
  type KvCache,
} from '../../decoders/decoder.ts';

/** How the matrices of a model's blocks are stored: all in one format, except for `overrides`. */
export interface ModelStorage extends MatrixStorage {
  /** the matrices that have another format */
  readonly overrides?: readonly (MatrixStorage & { readonly layer: number; readonly name: BlockMatrix })[] | undefined;
}

/** A decoder and where it runs. On a GPU it is a chain of kernels, which `destroy` returns for reuse. */
interface PlacedDecoder {
  readonly decoder: Decoder;
  readonly where: 'cpu' | 'gpu';
  /** why it is on this thread although there is a GPU: an unsupported model, or a limit of the GPU; null: neither */
  readonly notOnGpu: string | null;
  /** how many matrices are multiplied in their format, and why the first of the others is dense */
  readonly formatUse: FormatUse;
}

/** Tokens per second on this thread below which a format is too slow. */
const MIN_TOKENS_PER_SECOND = 30;
/** Number of timed products of a matrix; the fastest counts. */
const TRIALS = 6;

/** Tokens before the timed ones, and tokens that are timed one by one on the CPU. */
const UNTIMED_TOKENS = 64;
const TIMED_TOKENS = 24;

/** Maximum number of chains that are cached for the next text. */
const MAX_SAVED_CHAINS = 2;

/** A chain of kernels on a GPU that no text uses now. */
interface SavedChain {
  readonly context: GpuContext;
  readonly weights: DecoderWeights;
  readonly storageKey: string;
  readonly chain: Chain;
  readonly formatUse: FormatUse;
}

/** The products of a model's matrices on this thread; `products` is undefined if all use the dense weights. */
interface SavedProducts {
  readonly weights: DecoderWeights;
  readonly storageKey: string;
  readonly products: CpuDecoderOptions['products'];
  readonly formatUse: FormatUse;
}

/** An encoded matrix with its format. */
interface FormattedMatrix {
  readonly format: AnyFormat;
  readonly matrix: EncodedMatrix;
}

/** All matrices are dense, and none was rejected. */
const NONE_IN_FORMAT: FormatUse = { inFormat: 0, rejection: null };

/** Opens decoders on the GPU, if there is one, else on this thread, and times tokens. No other code decides where. */
export class Decoders {
  readonly #host: Pick<EngineHost, 'device' | 'now' | 'pause' | 'threads'>;
  readonly #evenInSoftware: boolean;
  /** chains that no text uses now, the most recently used one last */
  #savedChains: readonly SavedChain[] = [];
  /** products of the most recently used model */
  #products: SavedProducts | null = null;
  /** number of calls of `release`: a chain that was opened before the last one is not cached */
  #releases = 0;

  /** `evenInSoftware`: only for tests, since a software GPU is slower than this thread. */
  constructor(host: Pick<EngineHost, 'device' | 'now' | 'pause' | 'threads'>, evenInSoftware = false) {
    this.#host = host;
    this.#evenInSoftware = evenInSoftware;
  }

  /**
   * Opens a decoder at the first position or, on this thread, after the tokens of `past`. If `storage` is null,
   * matrices are dense, as is every matrix that its format does not support. Throws CancelledError.
   */
  async open(
    { config }: Pick<LoadedModel, 'config'>,
    weights: DecoderWeights,
    storage: ModelStorage | null,
    job: ServiceJob,
    past?: KvCache,
  ): Promise<PlacedDecoder> {
    let notOnGpu: string | null = null;
    try {
      const context = await this.#host.device.open();
      if (!context.facts.isFallback || this.#evenInSoftware) {
        const { chain, giveBack, formatUse } = await this.#chain(context, config, weights, storage, job, true);
        return { decoder: reusableChain(chain, giveBack), where: 'gpu', notOnGpu, formatUse };
      }
    } catch (error) {
      const isDeviceError =
        error instanceof NoDeviceError || error instanceof DeviceLostError || error instanceof KernelError;
      if (!isDeviceError) throw error;
      if (error instanceof KernelError) notOnGpu = error.message;
    }
    const { products, formatUse } = await this.#productsOf(config, weights, storage, job);
    return { decoder: cpuDecoder(config, weights, { job, products, past }), where: 'cpu', notOnGpu, formatUse };
  }

  /**
   * The time of a token: of each kind of dispatch on a GPU, else of a whole token on this thread, where matrices are
   * dense for any `storage`. Throws like `open`, and KernelError for a format that no chain can use.
   */
  async times(
    { config }: Pick<LoadedModel, 'config'>,
    weights: DecoderWeights,
    storage: ModelStorage | null,
    job: ServiceJob,
  ): Promise<TokenTimes> {
    const before = Array.from({ length: Math.min(UNTIMED_TOKENS, config.context - 1) }, () => config.bos ?? 0);
    const context = chainRejection(config) === null ? await this.#device() : null;
    if (context === null) {
      const decoder = cpuDecoder(config, weights, { job });
      try {
        await decoder.feed(before);
        const samples: number[] = [];
        for (let i = 0; i < TIMED_TOKENS && decoder.length < config.context; i++) {
          const start = this.#host.now();
          await decoder.feed([config.bos ?? 0]);
          samples.push(1e6 * (this.#host.now() - start));
        }
        return { where: 'cpu', writtenNs: median(samples), queued: null };
      } finally {
        decoder.destroy();
      }
    }
    const { chain, giveBack } = await this.#chain(context, config, weights, storage, job);
    try {
      await chain.feed(before, 'last');
      const { kinds, tokenNs, source } = await chainTimes(context, chain, job);
      const sampling = { temperature: 1, seed: 0 };
      const [rate] = await ratesInTurns([chain], { begin: before.slice(0, 1), sampling, job, now: this.#host.now });
      return {
        where: 'gpu',
        writtenNs: rate === null ? null : 1e9 / rate,
        queued: { tokenNs: median(tokenNs), isByGpu: source === 'timestamp-query', kinds },
      };
    } finally {
      giveBack();
    }
  }

  /** Frees the cached chains and products; a chain in use is freed when it is given back. */
  release(): void {
    this.#releases++;
    for (const { chain } of this.#savedChains) chain.destroy();
    this.#savedChains = [];
    this.#products = null;
  }

  /** The GPU for models; null if they run on this thread. */
  async #device(): Promise<GpuContext | null> {
    try {
      const context = await this.#host.device.open();
      return !context.facts.isFallback || this.#evenInSoftware ? context : null;
    } catch (error) {
      if (error instanceof NoDeviceError || error instanceof DeviceLostError) return null;
      throw error;
    }
  }

  /** A chain at its beginning, and the function that returns it for reuse. */
  async #chain(
    context: GpuContext,
    config: DecoderConfig,
    weights: DecoderWeights,
    storage: ModelStorage | null,
    job: ServiceJob,
    mayBeDense = false,
  ): Promise<{ readonly chain: Chain; readonly giveBack: () => void; readonly formatUse: FormatUse }> {
    const rejection = chainRejection(config);
    if (rejection !== null) throw new KernelError(rejection);
    const { maxStorageBufferBindingSize, maxBufferSize } = context.facts.limits;
    const storageKey = keyOf(storage);
    const reused = this.#savedChains.find(
      (saved) =>
        saved.context === context &&
        saved.weights === weights &&
        saved.storageKey === storageKey &&
        context.lostReason === null,
    );
    this.#savedChains = this.#savedChains.filter((saved) => saved !== reused);
    const releases = this.#releases;
    let formatUse = NONE_IN_FORMAT;
    const encode = this.#encoder(context, storage, job, mayBeDense, (use) => {
      formatUse = sumOf(formatUse, use);
    });
    const chain =
      reused?.chain ??
      (await Chain.open(
        context,
        config,
        await encodeModel(config, weights, encode, {
          isStacked: stackedBy(storage),
          maxHeadBytes: Math.min(maxStorageBufferBindingSize, maxBufferSize),
        }),
        // Uploads are too short for progress messages.
        { job: withReport(job) },
      ));
    chain.rewind(0);
    if (reused) formatUse = reused.formatUse;
    const giveBack = (): void => {
      if (releases === this.#releases) this.#saveChain({ context, weights, storageKey, chain, formatUse });
      else chain.destroy();
    };
    return { chain, formatUse, giveBack };
  }

  /** Products by stored matrices on this thread; undefined if all are dense, as when a token would take too long. */
  async #productsOf(
    config: DecoderConfig,
    weights: DecoderWeights,
    storage: ModelStorage | null,
    job: ServiceJob,
  ): Promise<Pick<SavedProducts, 'products' | 'formatUse'>> {
    const dense = { products: undefined, formatUse: NONE_IN_FORMAT };
    const isAllDense =
      storage?.format === referenceFormat &&
      storage.overrides?.every(({ format }) => format === referenceFormat) !== false;
    if (storage === null || isAllDense) return dense;
    const storageKey = keyOf(storage);
    if (this.#products?.weights === weights && this.#products.storageKey === storageKey) return this.#products;
    let formatUse = NONE_IN_FORMAT;
    const encoded: Partial<Record<BlockMatrix, FormattedMatrix>>[] = [];
    for (const [layer, { matrices }] of weights.blocks.entries()) {
      const encodedInLayer: Partial<Record<BlockMatrix, FormattedMatrix>> = {};
      for (const name of blockMatrices(config)) {
        const [rows, cols] = blockMatrixShape(config, name);
        const matrix = denseMatrix(rows, cols, matrices[name]);
        const stored = storedAt(storage, layer, name);
        try {
          // The dense weights are the fastest way to multiply a dense matrix.
          if (stored.format !== referenceFormat) {
            encodedInLayer[name] = { format: stored.format, matrix: await this.#encoded(matrix, stored, job) };
          }
          formatUse = sumOf(formatUse, { inFormat: 1, rejection: null });
        } catch (error) {
          formatUse = sumOf(formatUse, { inFormat: 0, rejection: rejectionOf(error) });
        }
      }
      encoded.push(encodedInLayer);
      if (layer > 0) continue;
      const ms = this.#msOf(Object.values(encodedInLayer)) * config.layers;
      if (ms > 1000 / MIN_TOKENS_PER_SECOND) {
        const rejection = `found ${Math.floor(1000 / ms)} tokens/s on the CPU, expected at least ${MIN_TOKENS_PER_SECOND}`;
        return { products: undefined, formatUse: { inFormat: 0, rejection } };
      }
    }
    const products: CpuDecoderOptions['products'] = (layer, name) => {
      const stored = encoded[layer][name];
      return stored === undefined ? null : (x, y) => stored.format.multiply(stored.matrix, x, y);
    };
    this.#products = { weights, storageKey, products, formatUse };
    return this.#products;
  }

  /** Milliseconds of a product with each matrix: of a few trials the fastest, since the first ones compile. */
  #msOf(matrices: readonly FormattedMatrix[]): number {
    let ms = 0;
    for (const { format, matrix } of matrices) {
      const x = new Float32Array(matrix.cols).fill(1);
      const y = new Float32Array(matrix.rows);
      let fastest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < TRIALS; i++) {
        const start = this.#host.now();
        format.multiply(matrix, x, y);
        fastest = Math.min(fastest, this.#host.now() - start);
      }
      ms += fastest;
    }
    return ms;
  }

  #encoded(matrix: DenseMatrix, { format, params }: MatrixStorage, job: ServiceJob): Promise<EncodedMatrix> {
    return finishPaced(format.encodeSteps(matrix, resolvedParams(format.params, params, matrix)), job, this.#host);
  }

  /** Caches a chain for the next text; destroys the least recently used ones beyond MAX_SAVED_CHAINS. */
  #saveChain(chain: SavedChain): void {
    // Chains on a lost device are lost.
    const usableChains = [...this.#savedChains, chain].filter(({ context }) => context.lostReason === null);
    for (const { chain: oldChain } of usableChains.slice(0, -MAX_SAVED_CHAINS)) oldChain.destroy();
    this.#savedChains = usableChains.slice(-MAX_SAVED_CHAINS);
  }

  /** Returns a function that encodes stacks of matrices: in their format, or dense if unsupported and `mayBeDense`. */
  #encoder(
    context: GpuContext,
    storage: ModelStorage | null,
    job: ServiceJob,
    mayBeDense: boolean,
    onFormatUse: (formatUse: FormatUse) => void,
  ): EncodeForChain {
    const encode = async (matrix: DenseMatrix, stored: MatrixStorage): Promise<ChainMatrix> =>
      chainMatrix(await this.#encoded(matrix, stored, job), stored.format.kernels, context.facts);
    return async (matrix, stack) => {
      if (stack !== 'head' && storage !== null) {
        try {
          const encoded = await encode(matrix, storedAt(storage, stack.layer, stack.names[0]));
          onFormatUse({ inFormat: stack.names.length, rejection: null });
          return encoded;
        } catch (error) {
          const rejection = rejectionOf(error);
          if (!mayBeDense) throw error;
          onFormatUse({ inFormat: 0, rejection });
        }
      }
      return encode(matrix, {
        format: referenceFormat,
        params: { valueType: areExactInF16(matrix.data) ? 'f16' : 'f32' },
      });
    };
  }
}

/** A key of how matrices are stored: equal for storages that give equal chains. */
function keyOf(storage: ModelStorage | null): string {
  if (storage === null) return '';
  const keyIn = (stored: MatrixStorage): string => storedKey(stored.format.id, stored.params);
  const overrides = storage.overrides?.map((stored) => [stored.layer, stored.name, keyIn(stored)]) ?? [];
  return JSON.stringify([keyIn(storage), overrides]);
}

/** How one matrix of a block is stored. */
function storedAt(storage: ModelStorage, layer: number, name: BlockMatrix): MatrixStorage {
  return storage.overrides?.find((stored) => stored.layer === layer && stored.name === name) ?? storage;
}

/** Returns a function that checks whether matrices may be stacked into one: if every layer stores them alike. */
function stackedBy(storage: ModelStorage | null): (layer: number, names: readonly BlockMatrix[]) => boolean {
  // The answer must be the same for all layers, since a chain runs every layer with the same kernels.
  return (_layer, names) => {
    const layers = new Set(storage?.overrides?.map(({ layer }) => layer));
    return [...layers].every((layer) => {
      const keys = names.map((name) => storage && keyOf({ ...storedAt(storage, layer, name), overrides: [] }));
      return new Set(keys).size === 1;
    });
  };
}

/** Both uses together: the reason for the first dense matrix is kept. */
function sumOf(a: FormatUse, b: FormatUse): FormatUse {
  return { inFormat: a.inFormat + b.inFormat, rejection: a.rejection ?? b.rejection };
}

/** The reason why a format does not support a matrix. Throws any other error. */
function rejectionOf(error: unknown): string {
  if (error instanceof FormatError || error instanceof MatrixError || error instanceof KernelError) {
    return error.message;
  }
  throw error;
}

/** A chain that is given back for reuse when it is destroyed. */
function reusableChain(chain: Chain, returnChain: () => void): Decoder {
  let isReturned = false;
  return {
    config: chain.config,
    get length() {
      return chain.length;
    },
    feed: (ids) => chain.feed(ids),
    write: (id, count, sampling) => chain.write(id, count, sampling),
    rewind: (length) => chain.rewind(length),
    destroy() {
      if (isReturned) return;
      isReturned = true;
      returnChain();
    },
  };
}
