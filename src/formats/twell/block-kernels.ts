import { largestNeeds, type WorkgroupNeeds } from '../../core/kernel/device-limits.ts';
import { type GemmTile, tileChoices, tileFor, tileNeeds, tileOn, TILES } from '../../core/kernel/gemm-plan.ts';
import { type DeviceFacts, splitWorkgroups, type KernelSpec, type SizedPass } from '../../core/kernel/kernel.ts';
import { gateMatmul, hiddenBytes, neuronInput, tokenInput, packPass } from '../../core/kernel/gated-block-passes.ts';
import { matmulPass } from '../../core/kernel/matmul-plan.ts';
import {
  input,
  multiPassKernel,
  type MultiPassKernel,
  output,
  type Part,
  scratch,
  storedPart,
} from '../../core/kernel/multi-pass-plan.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import type { TwellEncoded } from './layout.ts';
import { OverflowError } from '../../core/errors.ts';
import { bf16Table } from '../../core/number/index.ts';
import { counted } from '../../core/text/words.ts';
import { overflowCount } from './overflow.ts';
import { capacityOf } from './params.ts';
import down from '../../../shaders/twell/down.wgsl';
import gateShader from '../../../shaders/twell/gate.wgsl';
import unpack from '../../../shaders/twell/unpack.wgsl';
import upDown from '../../../shaders/twell/up_down.wgsl';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';

// Kernels of the gated feed-forward block, whose activations h are in packed TwELL from one pass to the next. wg, wu, wd: the
// weights of gate, up and down. A kernel that computes h uses only the shape, tile width and slots of the encoded matrix.

/** Lanes of a workgroup that processes one token. */
const TOKEN_LANES = 256;
/** Columns of the block's output per lane. */
const COLUMNS_PER_LANE = 8;
/** Maximum number of chunks of columns in shaders/twell/add_rows.wgsl. */
const MAX_CHUNKS = 4;
const PACK_LANES = 64;
/** Lanes per neuron, as in shaders/twell/up_down.wgsl#workgroup. */
const TEAM_LANES = 32;

/** The tile of the gate GEMM: its workgroup computes whole tiles of TwELL. */
const gateTile = (device: DeviceFacts): GemmTile => tileOn(device, TILES.wide);

/** Computes h = ReLU(x Wgᵀ), and writes it as packed words. */
function gatePass(e: TwellEncoded, width: number, device: DeviceFacts): SizedPass {
  return matmulPass(
    'gate sizes',
    {
      ...gateMatmul(e, width, 'words'),
      outputStride: e.tiles,
      sizes: [0, e.tileWidth, e.slots],
      kernel: gateShader,
      tile: gateTile(device),
    },
    device,
  );
}

/** A shader of the up and down projections, and its maximum number of lanes for a neuron of up. */
interface UpDown {
  readonly shader: ShaderModule;
  lanes(device: DeviceFacts): number;
}

const UP_DOWN = {
  subgroup: { shader: upDown.variants.subgroup, lanes: ({ subgroupMaxSize }) => subgroupMaxSize },
  workgroup: { shader: upDown.variants.workgroup, lanes: () => TEAM_LANES },
} as const satisfies Readonly<Record<string, UpDown>>;

/** Computes y = h Wd, token by token; with `up`, first multiplies h by x Wuᵀ. */
function tokenPass(e: TwellEncoded, width: number, device: DeviceFacts, up: UpDown | null): SizedPass {
  return {
    params: { role: 'params', name: 'token sizes', data: Uint32Array.of(e.rows, width, e.tiles, e.slots) },
    pass: {
      files: shaderFiles(up?.shader ?? down),
      constants: {
        WORKGROUP_SIZE: TOKEN_LANES,
        CHUNKS: Math.ceil(width / (TOKEN_LANES * COLUMNS_PER_LANE)),
        ...(up ? { FULL_STEPS: Math.floor(width / (up.lanes(device) * COLUMNS_PER_LANE)) } : {}),
      },
      bindings: ['token sizes', 'wd', 'y', 'words', 'overflow', ...(up ? ['x', 'wu'] : [])],
      workgroups: splitWorkgroups(e.rows),
    },
    multiplyAdds: e.nnz * width * (up ? 2 : 1),
  };
}

/** Writes dense rows from packed words. */
function unpackPass(e: TwellEncoded): SizedPass {
  return {
    params: { role: 'params', name: 'unpack sizes', data: Uint32Array.of(e.rows, e.cols, e.tiles, e.slots) },
    pass: {
      files: shaderFiles(unpack),
      constants: { WORKGROUP_SIZE: TOKEN_LANES },
      bindings: ['unpack sizes', 'words', 'h'],
      workgroups: splitWorkgroups(e.rows),
    },
  };
}

/** Bytes of the packed words. */
const wordBytes = ({ rows, tiles, slots }: TwellEncoded): number => 4 * rows * tiles * slots;
/** Output buffers: y, and for each token its number of tile rows with lost non-zeros. */
const tokenOutputs = ({ rows }: TwellEncoded, width: number): readonly Part[] => [
  output('y', 4 * rows * width),
  output('overflow', 4 * rows),
];

type BlockKernel = MultiPassKernel<TwellEncoded>;

const packedKernel = (kernel: Omit<BlockKernel, 'only'>): KernelSpec<TwellEncoded> =>
  multiPassKernel({ ...kernel, only: { layout: ['packed'] } });

/** Returns why a width is rejected, or null: lanes keep sums for all columns of y, so their number is limited. */
function widthRejection(_e: TwellEncoded, { width }: Sizes): string | null {
  const max = TOKEN_LANES * COLUMNS_PER_LANE * MAX_CHUNKS;
  return width > max ? `keeps up to ${max} columns of y at once, found ${width}` : null;
}

const TOKEN_NEEDS: WorkgroupNeeds = { memoryBytes: 44 * TOKEN_LANES, lanes: TOKEN_LANES };
const COPY_NEEDS: WorkgroupNeeds = { memoryBytes: 0, lanes: TOKEN_LANES };
/** What the gate kernel needs: workgroup memory for staged operands, and a bit for each sum. */
function gateNeeds(device: DeviceFacts): WorkgroupNeeds {
  const tile = gateTile(device);
  return { memoryBytes: tileNeeds(tile).memoryBytes + (tile.m * tile.n) / 8, lanes: tile.lanes };
}

const TOKEN_OUTPUT = { read: readTokens, rejection: widthRejection } as const;
const PACKED_OUTPUT = { outputType: 'bf16', read: readPacked } as const;

/** A kernel in two variants: with subgroups and without. `partsOf` receives the shader of the variant. */
function bothVariants(
  base: Omit<BlockKernel, 'id' | 'partsOf' | 'features'> & { readonly name: string },
  partsOf: (
    e: TwellEncoded,
    sizes: Sizes,
    device: DeviceFacts,
    upDownShader: UpDown,
  ) => ReturnType<BlockKernel['partsOf']>,
): readonly KernelSpec<TwellEncoded>[] {
  const { name, title, ...kernel } = base;
  return (['subgroup', 'workgroup'] as const).map((variant) =>
    packedKernel({
      ...kernel,
      id: `twell/${name}_${variant}`,
      ...(variant === 'subgroup' ? { title, features: ['subgroups'] } : { title: `${title}, without subgroups` }),
      partsOf: (e, sizes, device) => partsOf(e, sizes, device, UP_DOWN[variant]),
    }),
  );
}

/** The WebGPU kernels of the block and its parts. */
export const blockKernels: readonly KernelSpec<TwellEncoded>[] = [
  packedKernel({
    id: 'twell/gate',
    operation: 'gate',
    title: 'GEMM that packs its own tiles',
    extraRoundings: 1,
    needs: (_e, device) => gateNeeds(device),
    ...PACKED_OUTPUT,
    partsOf: (e, { width }, device) => ({
      passes: [gatePass(e, width, device)],
      buffers: [tokenInput(e, width), neuronInput('wg', e, width), output('words', wordBytes(e))],
    }),
  }),
  packedKernel({
    id: 'twell/gate_converted',
    operation: 'gate',
    title: 'dense GEMM output, packed in a second pass',
    extraRoundings: 1,
    needs: (e, device) => largestNeeds([tileNeeds(tileFor(e.rows, e.cols, device)), COPY_NEEDS]),
    choices: (e, device) => tileChoices([tileFor(e.rows, e.cols, device)]),
    ...PACKED_OUTPUT,
    partsOf: (e, { width }, device, chosen) => ({
      passes: [
        matmulPass('gate sizes', gateMatmul(e, width), device, chosen),
        packPass(e, e, { buffer: 'hidden', type: 'bf16' }, PACK_LANES),
      ],
      buffers: [
        tokenInput(e, width),
        neuronInput('wg', e, width),
        scratch('hidden', hiddenBytes(e)),
        output('words', wordBytes(e)),
      ],
    }),
  }),
  ...bothVariants(
    {
      name: 'up_down',
      operation: 'up-down',
      title: 'a workgroup per token, only neurons that fired',
      extraRoundings: 3,
      needs: () => TOKEN_NEEDS,
      ...TOKEN_OUTPUT,
    },
    (e, { width }, device, upDownShader) => ({
      passes: [tokenPass(e, width, device, upDownShader)],
      buffers: [
        tokenInput(e, width),
        neuronInput('wu', e, width),
        neuronInput('wd', e, width),
        storedPart('words', e.words),
        ...tokenOutputs(e, width),
      ],
    }),
  ),
  packedKernel({
    id: 'twell/down',
    operation: 'down',
    title: 'a workgroup per token, only neurons that fired',
    extraRoundings: 2,
    needs: () => TOKEN_NEEDS,
    ...TOKEN_OUTPUT,
    partsOf: (e, { width }, device) => ({
      passes: [tokenPass(e, width, device, null)],
      buffers: [neuronInput('wd', e, width), storedPart('words', e.words), ...tokenOutputs(e, width)],
    }),
  }),
  ...bothVariants(
    {
      name: 'forward',
      operation: 'forward',
      title: 'gate that packs, then up and down for neurons that fired',
      extraRoundings: 3,
      needs: (_e, device) => largestNeeds([gateNeeds(device), TOKEN_NEEDS]),
      ...TOKEN_OUTPUT,
    },
    (e, { width }, device, upDownShader) => ({
      passes: [gatePass(e, width, device), tokenPass(e, width, device, upDownShader)],
      buffers: [
        tokenInput(e, width),
        neuronInput('wg', e, width),
        neuronInput('wu', e, width),
        neuronInput('wd', e, width),
        scratch('words', wordBytes(e)),
        ...tokenOutputs(e, width),
      ],
    }),
  ),
  packedKernel({
    id: 'twell/convert',
    operation: 'convert',
    title: 'a lane per tile row',
    extraRoundings: 1,
    needs: () => COPY_NEEDS,
    read: readPacked,
    partsOf: (e) => ({
      passes: [packPass(e, e, { buffer: 'h', type: 'f32' }, PACK_LANES)],
      buffers: [input('h', e.rows * e.cols, 'f32'), output('words', wordBytes(e))],
    }),
  }),
  packedKernel({
    id: 'twell/unpack',
    operation: 'unpack',
    title: 'a workgroup per token',
    extraRoundings: 1,
    needs: () => COPY_NEEDS,
    partsOf: (e) => ({
      passes: [unpackPass(e)],
      buffers: [storedPart('words', e.words), output('h', 4 * e.rows * e.cols)],
    }),
  }),
];

/**
 * Returns h as dense rows, from the packed words that a kernel wrote. The count of a tile row includes non-zeros that did not
 * fit: if there are any, throws OverflowError with the first of these tile rows and their number. Throws RangeError for a
 * column outside its tile. O(words + rows * cols).
 */
function readPacked(e: TwellEncoded, words: Uint32Array): Float32Array {
  const { rows, cols, tiles, slots, tileWidth } = e;
  const capacity = capacityOf(e);
  const table = bf16Table();
  const h = new Float32Array(rows * cols);
  let overflowing = 0;
  let firstOverflow = -1;
  for (let tileRow = 0; tileRow < rows * tiles; tileRow++) {
    const count = words[tileRow * slots];
    if (count > capacity) {
      if (overflowing++ === 0) firstOverflow = tileRow;
      continue;
    }
    const token = Math.floor(tileRow / tiles);
    const from = (tileRow % tiles) * tileWidth;
    const to = Math.min(from + tileWidth, cols);
    for (let i = 1; i <= count; i++) {
      const word = words[tileRow * slots + i];
      const column = word & 0xffff;
      if (column < from || column >= to) {
        throw new RangeError(`words[${tileRow * slots + i}]: found column ${column}, expected ${from} to ${to - 1}`);
      }
      h[token * cols + column] = table[word >>> 16];
    }
  }
  if (overflowing > 0) {
    throw new OverflowError(
      `token ${Math.floor(firstOverflow / tiles)}, tile ${firstOverflow % tiles}: found ${words[firstOverflow * slots]} non-zeros, expected at most ${capacity}; ${overflowCount(overflowing, rows * tiles, 'tile row')}; choose a smaller compression, or the hybrid`,
    );
  }
  return h;
}

/**
 * Returns the output y. After y, `words` contains the number of overflowed tile rows of each token: if any is not 0, throws
 * OverflowError.
 */
function readTokens(e: TwellEncoded, words: Uint32Array<ArrayBuffer>, { width }: Sizes): Float32Array {
  const overflowedTileRows = words.subarray(e.rows * width);
  const first = overflowedTileRows.findIndex((tileRows) => tileRows > 0);
  if (first >= 0) {
    const tokens = overflowedTileRows.reduce((sum, tileRows) => sum + (tileRows > 0 ? 1 : 0), 0);
    throw new OverflowError(
      `token ${first}: found ${counted(overflowedTileRows[first], 'tile row')} with more than ${capacityOf(e)} non-zeros, expected none; ${overflowCount(tokens, e.rows, 'token')}; choose a smaller compression, or the hybrid`,
    );
  }
  return new Float32Array(words.buffer, words.byteOffset, e.rows * width);
}
