import bf16Bits from '../../../shaders/common/bf16_bits.wgsl?raw';
import gateInFull from '../../../shaders/common/gate_in_full.wgsl?raw';
import hiddenBf16 from '../../../shaders/common/hidden_bf16.wgsl?raw';
import hiddenF32 from '../../../shaders/common/hidden_f32.wgsl?raw';
import packTwell from '../../../shaders/common/pack_twell.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupScan from '../../../shaders/common/workgroup_scan.wgsl?raw';
import addRows from '../../../shaders/twell/add_rows.wgsl?raw';
import downCode from '../../../shaders/twell/down.wgsl?raw';
import gateCode from '../../../shaders/twell/gate.wgsl?raw';
import packedEntries from '../../../shaders/twell/packed_entries.wgsl?raw';
import tokenList from '../../../shaders/twell/token_list.wgsl?raw';
import tokenSizes from '../../../shaders/twell/token_sizes.wgsl?raw';
import unpackCode from '../../../shaders/twell/unpack.wgsl?raw';
import upDot from '../../../shaders/twell/up_dot.wgsl?raw';
import upDownSubgroup from '../../../shaders/twell/up_down_subgroup.wgsl?raw';
import upDownWorkgroup from '../../../shaders/twell/up_down_workgroup.wgsl?raw';
import { type GemmTile, tileNeeds, tileOn, TILES } from '../../core/kernel/gemm-plan.ts';
import { type DeviceFacts, foldWorkgroups, type ShaderFile, type SizedPass } from '../../core/kernel/kernel.ts';
import { fourStride, type Matmul, matmulPass } from '../../core/kernel/matmul-plan.ts';
import type { TwellEncoded } from './layout.ts';

/** The passes that kernels of a feed-forward block with h in packed TwELL are made of. */

const file = (path: string, code: string): ShaderFile => ({ path, code });
const BF16_BITS = file('common/bf16_bits.wgsl', bf16Bits);
const WORKGROUP_INDEX = file('common/workgroup_index.wgsl', workgroupIndex);

/** Lanes of a workgroup that works on one token. */
export const TOKEN_LANES = 256;
/** Columns of what leaves the block that a lane keeps. */
export const COLUMNS_PER_LANE = 8;
/** What shaders/twell/add_rows.wgsl has room for. */
export const MOST_CHUNKS = 4;
const CONVERT_LANES = 64;

/** x Wg^T, and what is done with it. */
function gateMatmul({ rows, cols }: TwellEncoded, width: number): Omit<Matmul, 'output' | 'outputStride' | 'files'> {
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
      files: [BF16_BITS, file('twell/gate.wgsl', gateCode)],
      tile: gateTile(device),
    },
    device,
  );
}

/** The same GEMM with h in full, and the packing as a pass of its own. */
export function convertedGateSteps(e: TwellEncoded, width: number, device: DeviceFacts): readonly SizedPass[] {
  const stored = {
    ...gateMatmul(e, width),
    output: 'hidden',
    outputStride: fourStride(e.cols),
    files: [BF16_BITS, file('common/gate_in_full.wgsl', gateInFull)],
  };
  return [matmulPass('gate sizes', stored, device), convertStep(e, 'hidden', 'bf16')];
}

export function convertStep(e: TwellEncoded, hidden: string, type: 'bf16' | 'f32'): SizedPass {
  return {
    params: {
      role: 'params',
      name: 'convert sizes',
      data: Uint32Array.of(e.rows, e.cols, e.tiles, e.slots, e.tileWidth),
    },
    pass: {
      files: [
        WORKGROUP_INDEX,
        BF16_BITS,
        type === 'bf16' ? file('common/hidden_bf16.wgsl', hiddenBf16) : file('common/hidden_f32.wgsl', hiddenF32),
        file('common/pack_twell.wgsl', packTwell),
      ],
      constants: { WORKGROUP_SIZE: CONVERT_LANES },
      bindings: ['convert sizes', hidden, 'words'],
      workgroups: foldWorkgroups(Math.ceil((e.rows * e.tiles) / CONVERT_LANES)),
    },
    multiplyAdds: 0,
  };
}

/** What is done token by token with h; `up` multiplies h with x Wu^T first. */
export function tokenStep(e: TwellEncoded, width: number, kernel: ShaderFile, up: boolean): SizedPass {
  return {
    params: {
      role: 'params',
      name: 'token sizes',
      data: Uint32Array.of(e.rows, width, e.tiles, e.slots),
    },
    pass: {
      files: [
        WORKGROUP_INDEX,
        file('common/workgroup_scan.wgsl', workgroupScan),
        file('twell/token_sizes.wgsl', tokenSizes),
        file('twell/packed_entries.wgsl', packedEntries),
        file('twell/token_list.wgsl', tokenList),
        file('twell/add_rows.wgsl', addRows),
        ...(up ? [file('twell/up_dot.wgsl', upDot)] : []),
        kernel,
      ],
      constants: { WORKGROUP_SIZE: TOKEN_LANES, CHUNKS: Math.ceil(width / (TOKEN_LANES * COLUMNS_PER_LANE)) },
      bindings: ['token sizes', 'wd', 'y', 'words', 'overflow', ...(up ? ['x', 'wu'] : [])],
      workgroups: foldWorkgroups(e.rows),
    },
    multiplyAdds: e.nnz * width * (up ? 2 : 1),
  };
}

export const UP_DOWN = {
  subgroup: file('twell/up_down_subgroup.wgsl', upDownSubgroup),
  workgroup: file('twell/up_down_workgroup.wgsl', upDownWorkgroup),
} as const;
export const DOWN = file('twell/down.wgsl', downCode);

export function unpackStep(e: TwellEncoded): SizedPass {
  return {
    params: { role: 'params', name: 'unpack sizes', data: Uint32Array.of(e.rows, e.cols, e.tiles, e.slots) },
    pass: {
      files: [WORKGROUP_INDEX, file('twell/unpack.wgsl', unpackCode)],
      constants: { WORKGROUP_SIZE: TOKEN_LANES },
      bindings: ['unpack sizes', 'words', 'h'],
      workgroups: foldWorkgroups(e.rows),
    },
    multiplyAdds: 0,
  };
}
