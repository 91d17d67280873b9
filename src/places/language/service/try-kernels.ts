import { FormatError, KernelError, MatrixError, OverflowError } from '../../../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../core/format.ts';
import { type KernelSpec, unsuited } from '../../../core/kernel/kernel.ts';
import { type DenseMatrix, denseMatrix, toDense } from '../../../core/matrix/index.ts';
import { f16Bits, f16Value, roundToBf16 } from '../../../core/number/index.ts';
import { median } from '../../../core/number/statistics.ts';
import type { BenchDraft } from '../../../engine/bench/bench-types.ts';
import { kernelOf, paramsFor } from '../../../engine/bench/kernel-of.ts';
import { draftFault, withDraftAlone } from '../../../engine/bench/vetted.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { EngineHost } from '../../../engine/host.ts';
import type { LoadedModel } from '../../../engine/models/loaded-model.ts';
import { finishPaced } from '../../../engine/pace.ts';
import { referenceFormat } from '../../../formats/registry.ts';
import { admitKernel, type GpuContext } from '../../../gpu/index.ts';
import { Chain } from '../../../language/chain/chain.ts';
import { encodeModel } from '../../../language/chain/encode-model.ts';
import { chainFeedForward } from '../../../language/chain/feed-forward.ts';
import { chainMatrix, logitsBound } from '../../../language/chain/kernels.ts';
import { BLOCK_BOUND, keptLogits, LOGITS_BOUND } from '../../../language/chain/kept-logits.ts';
import type { ChainMatrix, FeedForwardKernel } from '../../../language/chain/weights.ts';
import { cpuDecoder } from '../../../language/cpu/cpu-decoder.ts';
import type { BlockMatrix, DecoderConfig, DecoderWeights } from '../../../language/decoder.ts';
import { oracleLogits } from '../../../language/oracle/oracle.ts';
import { drawTale } from '../../../tales/draw.ts';
import { recipeOf } from './recipe-of.ts';
import type { TryRequest, Tried } from './try-types.ts';
import type { Multiplied } from './types.ts';

/** Tokens whose logits are compared, and those whose neurons a block has to hold. */
const COMPARED = 32;
const HELD = 160;

/** Tokens that are written to time a chain, those before the clock starts, and how long two chains may take in turns. */
const TIMED = 64;
const TIMED_IN_SOFTWARE = 12;
const UNTIMED = 4;
const TURNS = 5;
const TURNS_MS = 400;

type AnyKernel = KernelSpec<EncodedMatrix>;

/** A chain, the model with its cells as they are stored, and what stands in it. */
interface Opened {
  readonly chain: Chain;
  readonly stored: DecoderWeights;
  /** null: no matrix is in the format */
  readonly kernel: string | null;
  readonly bound: number;
  readonly multiplied: Multiplied;
}

/** A kernel for whole feed-forward blocks, with the parameters of its format. */
interface BlockKernel {
  readonly format: AnyFormat;
  readonly spec: AnyKernel;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Decodes a tale with the kernels that are asked for, compares the logits with the oracle's, and times both chains in turns.
 * Throws KernelError where one cannot stand in a chain, NoDeviceError, CancelledError and DeviceLostError.
 */
export async function tryKernels(host: EngineHost, request: TryRequest, job: ServiceJob): Promise<Tried> {
  const context = await host.device.open();
  const model = await host.loading.models.of(request.model, job);
  const weights = await host.loading.models.stored(model, recipeOf(request.pruning), job);
  const { config } = model;
  const ids = taleIds(model);
  const trial = new Trial(host, context, config, job);

  const { format, params, asked, fault } = await trial.kernels(request, weights);
  const block = request.block === null ? null : await trial.block(host.format(request.block), weights, ids);
  const storedAs = { format, params };
  const tried = await trial.open(weights, storedAs, asked, block);
  try {
    const compared = ids.slice(0, COMPARED);
    job.report({ what: 'comparing logits', done: 0, total: 1 });
    const found = await tried.chain.feed(compared);
    const expected = oracleLogits(config, tried.stored, compared);
    const { ok, relativeError, firstOther } = keptLogits(found, expected, config.vocabulary, tried.bound);
    const isUsual = asked === undefined && block === null;
    // What has broken the logits is not timed: how fast it is does not matter.
    const usual = isUsual || !ok ? null : await trial.open(weights, storedAs, undefined, null);
    try {
      const rates = ok ? await trial.rates([tried.chain, ...(usual ? [usual.chain] : [])], ids[0]) : [];
      const piece = (id: number): string => model.tokens.piece(id);
      return {
        kernel: tried.kernel,
        block: block?.spec.id ?? null,
        blockParams: block?.params ?? null,
        isSoftware: context.facts.isFallback,
        multiplied: tried.multiplied,
        tokens: compared.length,
        relativeError,
        bound: tried.bound,
        ok,
        firstOther: firstOther && {
          after: piece(compared[firstOther.token]),
          found: piece(firstOther.found),
          expected: piece(firstOther.expected),
        },
        draftFault: fault,
        rate: rates[0] ?? null,
        usualRate: (isUsual ? rates[0] : rates[1]) ?? null,
      };
    } finally {
      usual?.chain.destroy();
    }
  } finally {
    tried.chain.destroy();
  }
}

/** The beginning of a tale that no model has seen. */
function taleIds({ config, tokens }: LoadedModel): readonly number[] {
  const { text } = drawTale('held-out', 1, 0);
  return [...(config.bos === null ? [] : [config.bos]), ...tokens.encode(text)].slice(
    0,
    Math.min(HELD, config.context - TIMED),
  );
}

interface StoredAs {
  readonly format: AnyFormat;
  readonly params: Readonly<Record<string, unknown>>;
}

class Trial {
  readonly #host: EngineHost;
  readonly #context: GpuContext;
  readonly #config: DecoderConfig;
  readonly #job: ServiceJob;

  constructor(host: EngineHost, context: GpuContext, config: DecoderConfig, job: ServiceJob) {
    this.#host = host;
    this.#context = context;
    this.#config = config;
    this.#job = job;
  }

  /** Tokens that are timed in a turn. */
  get #timed(): number {
    return this.#context.facts.isFallback ? TIMED_IN_SOFTWARE : TIMED;
  }

  /** The format and the kernel that are asked for. A draft is tried before, with its loops counted, and has to end. */
  async kernels(
    { format: id, params, kernel }: TryRequest,
    weights: DecoderWeights,
  ): Promise<StoredAs & { readonly asked: string | AnyKernel | undefined; readonly fault: string | null }> {
    if (kernel === null) return { format: this.#host.format(id), params, asked: undefined, fault: null };
    const { formats } = this.#host;
    const of = typeof kernel === 'string' ? kernel : kernel.kernel;
    const { format, spec } = kernelOf(formats, of);
    const first = denseMatrix(
      this.#config.hidden,
      this.#config.heads * this.#config.headDim,
      weights.blocks[0].matrices.o,
    );
    const suited = paramsFor(format, spec, format.id === id ? params : {}, first);
    if (typeof kernel === 'string') return { format, params: suited, asked: kernel, fault: null };
    const fault = await this.#draftFault(kernel, suited, first);
    const [asked] = withDraftAlone(formats, kernel).kernels as readonly AnyKernel[];
    return { format, params: suited, asked, fault };
  }

  /** What is wrong with a draft that can be run all the same. Throws KernelError for one that cannot. */
  async #draftFault(
    draft: BenchDraft,
    params: Readonly<Record<string, unknown>>,
    matrix: DenseMatrix,
  ): Promise<string | null> {
    const alone = withDraftAlone(this.#host.formats, draft);
    const target = {
      matrix,
      source: 'o of block 0',
      encode: async (format: AnyFormat, given: Readonly<Record<string, unknown>>) => ({
        encoded: await this.#encoded(matrix, { format, params: given }),
        encodeMs: 0,
      }),
      isEncoded: () => false,
    };
    const fault = await draftFault(
      alone,
      params,
      { context: this.#context, target, sizes: {}, pace: this.#host },
      this.#job,
    );
    if (fault && !fault.isWrongOnly) throw new KernelError(`${alone.kernels[0].id} ${fault.reason}`);
    return fault?.reason ?? null;
  }

  /** A format's kernel for whole blocks, with the parameters that store least and hold the neurons of these tokens. */
  async block(format: AnyFormat, weights: DecoderWeights, ids: readonly number[]): Promise<BlockKernel> {
    const { activation, intermediate, biases } = this.#config;
    if (activation !== 'relu' || biases.includes('gate') || biases.includes('up')) {
      throw new KernelError(`${format.title}: found a block whose neurons all fire, expected one with ReLU`);
    }
    const neurons = new Float32Array(ids.length * this.#config.layers * intermediate);
    let rows = 0;
    await cpuDecoder(this.#config, weights, {
      job: this.#job,
      onInput(_, input, x) {
        if (input === 'down') neurons.set(x, rows++ * intermediate);
      },
    }).feed(ids);
    const hidden = denseMatrix(rows, intermediate, neurons);
    const one = denseMatrix(1, intermediate, new Float32Array(intermediate));
    const kernels = (format.kernels as readonly AnyKernel[]).filter((spec) => spec.operation === 'forward');
    let best: (BlockKernel & { readonly bytes: number }) | null = null;
    let refusal = `${format.title}: found no kernel for whole blocks that runs here, expected one`;
    for (const given of paramChoices(format)) {
      try {
        const params = resolvedParams(format.params, given, one);
        const encoded: EncodedMatrix = format.encode(one, params);
        const spec = kernels.find(
          (kernel) =>
            unsuited(kernel, params) === null &&
            admitKernel(kernel, encoded, this.#context.facts, { width: this.#config.hidden }).ok,
        );
        if (spec === undefined) continue;
        const { totalBytes: bytes } = format.storage(await this.#encoded(hidden, { format, params: given }));
        if (best === null || bytes < best.bytes) best = { format, spec, params, bytes };
      } catch (error) {
        refusal = refusalOf(error);
      }
    }
    if (best === null) throw new KernelError(refusal);
    return best;
  }

  /** A chain of these kernels. Matrices that the format refuses are dense; a kernel that is asked for has to take all others. */
  async open(
    weights: DecoderWeights,
    storedAs: StoredAs,
    asked: string | AnyKernel | undefined,
    block: BlockKernel | null,
  ): Promise<Opened> {
    const { facts } = this.#context;
    const own = block === null ? weights : roundedBlocks(weights);
    const stored = {
      ...own,
      blocks: own.blocks.map((one) => ({ ...one, matrices: { ...one.matrices } })),
    };
    let bound = block === null ? LOGITS_BOUND : BLOCK_BOUND;
    let kernel: string | null = null;
    let multiplied: Multiplied = { inFormat: 0, refusal: null };
    const dense = async (matrix: DenseMatrix): Promise<ChainMatrix> => {
      const valueType = matrix.data.every((value) => f16Value(f16Bits(value)) === value) ? 'f16' : 'f32';
      const encoded = await this.#encoded(matrix, { format: referenceFormat, params: { valueType } });
      return { ...chainMatrix(encoded, referenceFormat.kernels, facts), several: null };
    };
    const keep = (layer: number, names: readonly BlockMatrix[], encoded: EncodedMatrix): void => {
      const cells = toDense(storedAs.format.decode(encoded));
      let at = 0;
      for (const name of names) {
        const { length } = stored.blocks[layer].matrices[name];
        stored.blocks[layer].matrices[name] = cells.slice(at, at + length);
        at += length;
      }
    };
    const model = await encodeModel(
      this.#config,
      own,
      async (matrix, place) => {
        this.#job.throwIfCancelled();
        if (place === 'head') return dense(matrix);
        let encoded: EncodedMatrix;
        try {
          encoded = await this.#encoded(matrix, storedAs);
        } catch (error) {
          multiplied = { ...multiplied, refusal: multiplied.refusal ?? refusalOf(error) };
          return dense(matrix);
        }
        const found = chainMatrix(encoded, storedAs.format.kernels, facts, { one: asked });
        keep(place.layer, place.names, encoded);
        kernel ??= found.one.spec.id;
        bound = Math.max(bound, logitsBound(found.one, encoded, facts));
        multiplied = { ...multiplied, inFormat: multiplied.inFormat + place.names.length };
        // Token by token: kernels for several would make the logits that are compared, and not the one asked for.
        return { ...found, several: null };
      },
      block === null
        ? {}
        : { feedForward: (weightsOf) => chainFeedForward(this.#config, weightsOf, this.#feedForward(block), null) },
    );
    const chain = await Chain.open(this.#context, this.#config, model, {
      context: Math.max(COMPARED, UNTIMED + this.#timed),
      job: { report: () => {}, cancelled: this.#job.cancelled },
    });
    if (asked !== undefined && kernel === null) {
      chain.destroy();
      throw new KernelError(`${storedAs.format.title}: ${multiplied.refusal ?? 'found no matrix in it, expected one'}`);
    }
    return { chain, stored, kernel, bound, multiplied };
  }

  #feedForward({ format, spec, params }: BlockKernel): FeedForwardKernel {
    const { intermediate } = this.#config;
    const hidden: EncodedMatrix = format.encode(denseMatrix(1, intermediate, new Float32Array(intermediate)), params);
    return { spec, hidden };
  }

  /** Tokens per second of chains that write in turns: the median turn of each. */
  async rates(chains: readonly Chain[], first: number): Promise<readonly number[]> {
    const all = chains.map((chain) => ({ chain, rates: [] as number[] }));
    const from = this.#host.now();
    for (let turn = 0; turn < TURNS && (turn === 0 || this.#host.now() - from < TURNS_MS); turn++) {
      for (const { chain, rates } of all) {
        this.#job.report({ what: 'writing to time it', done: turn, total: TURNS });
        const rate = await this.#rate(chain, first, this.#timed);
        if (rate !== null) rates.push(rate);
      }
    }
    return all.flatMap(({ rates }) => (rates.length > 0 ? [median(rates)] : []));
  }

  async #rate(chain: Chain, first: number, count: number): Promise<number | null> {
    chain.rewind(0);
    let tokens = 0;
    let from = this.#host.now();
    let to = from;
    for await (const _ of chain.write(first, UNTIMED + count, { temperature: 0, seed: 0 })) {
      this.#job.throwIfCancelled();
      tokens++;
      to = this.#host.now();
      if (tokens === UNTIMED) from = to;
    }
    return tokens > UNTIMED && to > from ? (1000 * (tokens - UNTIMED)) / (to - from) : null;
  }

  #encoded(matrix: DenseMatrix, { format, params }: StoredAs): Promise<EncodedMatrix> {
    const steps = format.encodeSteps(matrix, resolvedParams(format.params, params, matrix));
    return finishPaced(steps, this.#job, this.#host);
  }
}

/** The matrices of feed-forward blocks with values that bf16 holds, as kernels for whole blocks read them. */
function roundedBlocks(weights: DecoderWeights): DecoderWeights {
  return {
    ...weights,
    blocks: weights.blocks.map((block) => {
      const { gate, up, down } = block.matrices;
      const rounded = { gate: gate.map(roundToBf16), up: up.map(roundToBf16), down: down.map(roundToBf16) };
      return { ...block, matrices: { ...block.matrices, ...rounded } };
    }),
  };
}

/** Every combination of the parameters that are chosen from a list. */
function paramChoices({ params }: AnyFormat): readonly Readonly<Record<string, unknown>>[] {
  let all: readonly Readonly<Record<string, unknown>>[] = [{}];
  for (const [name, field] of Object.entries(params)) {
    if (field.kind !== 'choice') continue;
    const { options } = field as { readonly options: readonly { readonly value: unknown }[] };
    all = all.flatMap((given) => options.map(({ value }) => ({ ...given, [name]: value })));
  }
  return all;
}

/** Why a format does not hold a matrix. Throws whatever else went wrong. */
function refusalOf(error: unknown): string {
  const isRefusal = error instanceof FormatError || error instanceof MatrixError || error instanceof OverflowError;
  if (isRefusal) return error.message;
  throw error;
}
