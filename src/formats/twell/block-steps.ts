import hiddenShader from '../../../shaders/common/hidden.wgsl';
import gateInFull from '../../../shaders/common/gate_in_full.wgsl';
import packTwell from '../../../shaders/common/pack_twell.wgsl';
import down from '../../../shaders/twell/down.wgsl';
import gateShader from '../../../shaders/twell/gate.wgsl';
import unpack from '../../../shaders/twell/unpack.wgsl';
import upDownSubgroup from '../../../shaders/twell/up_down_subgroup.wgsl';
import upDownWorkgroup from '../../../shaders/twell/up_down_workgroup.wgsl';
import type { Chosen } from '../../core/kernel/choices.ts';
import { type GemmTile, tileNeeds, tileOn, TILES } from '../../core/kernel/gemm-plan.ts';
import { type DeviceFacts, foldWorkgroups, type SizedPass } from '../../core/kernel/kernel.ts';
import { fourStride, type Matmul, matmulPass } from '../../core/kernel/matmul-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import type { TwellEncoded } from './layout.ts';

/** The passes of feed-forward kernels with h in packed TwELL. */

/** Lanes of a workgroup that processes one token. */
export const TOKEN_LANES = 256;
/** Columns of the block's output per lane. */
export const COLUMNS_PER_LANE = 8;
/** The capacity of shaders/twell/add_rows.wgsl. */
export const MAX_CHUNKS = 4;
const CONVERT_LANES = 64;
/** Lanes on one neuron, as in shaders/twell/up_down_workgroup.wgsl. */
const TEAM_LANES = 32;

/** x Wg^T, and its epilogue. */
function gateMatmul({ rows, cols }: TwellEncoded, width: number): Omit<Matmul, 'output' | 'outputStride' | 'kernel'> {
  return {
    m: rows,
    n: cols,
    k: width,
    a: { buffer: 'x', type: 'bf16', stored: 'rows', stride: width },
    b: { buffer: 'wg', type: 'bf16', stored: 'rows', stride: width },
  };
}

/** The tile whose workgroup owns whole tiles of TwELL. */
export const gateTile = (device: DeviceFacts): GemmTile => tileOn(device, TILES.wide);

/** Workgroup memory of the gate: what is staged, and a bit per sum. */
export function gateMemory(device: DeviceFacts): number {
  const tile = gateTile(device);
  return tileNeeds(tile).memoryBytes + (tile.m * tile.n) / 8;
}

export function gateStep(e: TwellEncoded, width: number, device: DeviceFacts): SizedPass {
  return matmulPass(
    'gate sizes',
    {
      ...gateMatmul(e, width),
      output: 'words',
      outputStride: e.tiles,
      sizes: [0, e.tileWidth, e.slots],
      kernel: gateShader,
      tile: gateTile(device),
    },
    device,
  );
}

/** The same GEMM with h stored in full, and the packing as a separate pass. */
export function convertedGateSteps(
  e: TwellEncoded,
  width: number,
  device: DeviceFacts,
  chosen?: Chosen,
): readonly SizedPass[] {
  const stored = {
    ...gateMatmul(e, width),
    output: 'hidden',
    outputStride: fourStride(e.cols),
    kernel: gateInFull,
  };
  return [matmulPass('gate sizes', stored, device, chosen), convertStep(e, 'hidden', 'bf16')];
}

export function convertStep(e: TwellEncoded, hidden: string, type: 'bf16' | 'f32'): SizedPass {
  return {
    params: {
      role: 'params',
      name: 'convert sizes',
      data: Uint32Array.of(e.rows, e.cols, e.tiles, e.slots, e.tileWidth),
    },
    pass: {
      files: shaderFiles(packTwell, [hiddenShader.variants[type]]),
      constants: { WORKGROUP_SIZE: CONVERT_LANES },
      bindings: ['convert sizes', hidden, 'words'],
      workgroups: foldWorkgroups(Math.ceil((e.rows * e.tiles) / CONVERT_LANES)),
    },
    multiplyAdds: 0,
  };
}

/** How h is multiplied with x Wu^T and then with Wd, and the most lanes per neuron in the up projection. */
export interface UpDown {
  readonly shader: ShaderModule;
  lanes(device: DeviceFacts): number;
}

export const UP_DOWN = {
  subgroup: { shader: upDownSubgroup, lanes: ({ subgroupMaxSize }) => subgroupMaxSize },
  workgroup: { shader: upDownWorkgroup, lanes: () => TEAM_LANES },
} as const satisfies Readonly<Record<string, UpDown>>;

function tokenStep(
  e: TwellEncoded,
  width: number,
  up: { readonly shader: ShaderModule; readonly lanes: number } | null,
): SizedPass {
  return {
    params: {
      role: 'params',
      name: 'token sizes',
      data: Uint32Array.of(e.rows, width, e.tiles, e.slots),
    },
    pass: {
      files: shaderFiles(up?.shader ?? down),
      constants: {
        WORKGROUP_SIZE: TOKEN_LANES,
        CHUNKS: Math.ceil(width / (TOKEN_LANES * COLUMNS_PER_LANE)),
        ...(up ? { FULL_STEPS: Math.floor(width / (up.lanes * COLUMNS_PER_LANE)) } : {}),
      },
      bindings: ['token sizes', 'wd', 'y', 'words', 'overflow', ...(up ? ['x', 'wu'] : [])],
      workgroups: foldWorkgroups(e.rows),
    },
    multiplyAdds: e.nnz * width * (up ? 2 : 1),
  };
}

/** y = h Wd, token by token. */
export function downStep(e: TwellEncoded, width: number): SizedPass {
  return tokenStep(e, width, null);
}

/** y = (h * x Wu^T) Wd, token by token. */
export function upDownStep(e: TwellEncoded, width: number, { shader, lanes }: UpDown, device: DeviceFacts): SizedPass {
  return tokenStep(e, width, { shader, lanes: lanes(device) });
}

export function unpackStep(e: TwellEncoded): SizedPass {
  return {
    params: { role: 'params', name: 'unpack sizes', data: Uint32Array.of(e.rows, e.cols, e.tiles, e.slots) },
    pass: {
      files: shaderFiles(unpack),
      constants: { WORKGROUP_SIZE: TOKEN_LANES },
      bindings: ['unpack sizes', 'words', 'h'],
      workgroups: foldWorkgroups(e.rows),
    },
    multiplyAdds: 0,
  };
}
