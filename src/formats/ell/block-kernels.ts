import bf16Bits from '../../../shaders/common/bf16_bits.wgsl?raw';
import gateInFull from '../../../shaders/common/gate_in_full.wgsl?raw';
import hiddenBf16 from '../../../shaders/common/hidden_bf16.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupScan from '../../../shaders/common/workgroup_scan.wgsl?raw';
import convertCode from '../../../shaders/ell/convert.wgsl?raw';
import layOutCode from '../../../shaders/ell/lay_out.wgsl?raw';
import { fitsLimits } from '../../core/kernel/device-limits.ts';
import { tileFor, tileNeeds } from '../../core/kernel/gemm-plan.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  foldWorkgroups,
  type KernelSpec,
  type ShaderFile,
} from '../../core/kernel/kernel.ts';
import { fourStride, matmulPass } from '../../core/kernel/matmul-plan.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import type { EllEncoded } from './layout.ts';
import { readRows, wordBytes } from './read-rows.ts';

/**
 * The gate of a feed-forward block into ELL, for comparison with TwELL: the rows have to lie there in full before they can
 * be packed. Of the encoded matrix the kernel takes the shape and the slots of a row, which every row is given.
 */

const LANES = 256;

const file = (path: string, code: string): ShaderFile => ({ path, code });
const WORKGROUP_INDEX = file('common/workgroup_index.wgsl', workgroupIndex);
const BF16_BITS = file('common/bf16_bits.wgsl', bf16Bits);

/** Buffers besides those of sizes, with their bytes. The outputs are read by `readRows`. */
function buffersOf(e: EllEncoded, width: number): readonly (readonly [BufferPlan, number])[] {
  const { rows, cols } = e;
  const places = rows * e.width;
  const input = (name: string, count: number): readonly [BufferPlan, number] => [
    { role: 'input', name, type: 'bf16' },
    2 * count * width,
  ];
  const kept = (role: 'output' | 'scratch', name: string, bytes: number): readonly [BufferPlan, number] => [
    { role, name, bytes },
    bytes,
  ];
  return [
    input('x', rows),
    input('wg', cols),
    kept('scratch', 'hidden', 2 * rows * fourStride(cols)),
    kept('scratch', 'entries', 8 * places),
    kept('output', 'values', wordBytes(places, VALUE_BITS[e.valueType])),
    kept('output', 'indices', wordBytes(places, e.indexBits)),
    kept('output', 'counts', 4 * rows),
  ];
}

function gateStep({ rows, cols }: EllEncoded, width: number, device: DeviceFacts): ReturnType<typeof matmulPass> {
  return matmulPass(
    'gate sizes',
    {
      m: rows,
      n: cols,
      k: width,
      a: { buffer: 'x', type: 'bf16', stored: 'rows', stride: width },
      b: { buffer: 'wg', type: 'bf16', stored: 'rows', stride: width },
      output: 'hidden',
      outputStride: fourStride(cols),
      files: [BF16_BITS, file('common/gate_in_full.wgsl', gateInFull)],
    },
    device,
  );
}

export const blockKernels: readonly KernelSpec<EllEncoded>[] = [
  {
    id: 'ell/gate_converted',
    title: 'GEMM stored in full, whole rows packed in two further passes',
    operation: 'gate',
    roundings: 1,
    outputType: 'bf16',
    features: [],
    read: readRows,
    fits(e, device, { width }) {
      const { lanes, memoryBytes } = tileNeeds(tileFor(e.rows, e.cols, device));
      return fitsLimits(
        buffersOf(e, width).map(([{ name }, bytes]) => [name, bytes] as const),
        { lanes: Math.max(lanes, LANES), memoryBytes: Math.max(memoryBytes, 8 * LANES) },
        device,
      );
    },
    plan(e, device, { width }) {
      const { rows, cols, width: slots, valueType, indexBits } = e;
      const gate = gateStep(e, width, device);
      const buffers = buffersOf(e, width);
      return {
        buffers: [
          gate.params,
          { role: 'params', name: 'convert sizes', data: Uint32Array.of(rows, cols, slots) },
          {
            role: 'params',
            name: 'layout sizes',
            data: Uint32Array.of(rows, slots, VALUE_BITS[valueType], indexBits),
          },
          ...buffers.map(([buffer]) => buffer),
        ],
        passes: [
          gate.pass,
          {
            files: [
              WORKGROUP_INDEX,
              file('common/workgroup_scan.wgsl', workgroupScan),
              file('common/hidden_bf16.wgsl', hiddenBf16),
              file('ell/convert.wgsl', convertCode),
            ],
            constants: { WORKGROUP_SIZE: LANES },
            bindings: ['convert sizes', 'hidden', 'entries', 'counts'],
            workgroups: foldWorkgroups(rows),
          },
          {
            files: [WORKGROUP_INDEX, file('ell/lay_out.wgsl', layOutCode)],
            constants: { WORKGROUP_SIZE: LANES },
            bindings: ['layout sizes', 'entries', 'counts', 'values', 'indices'],
            workgroups: foldWorkgroups(Math.ceil((rows * slots) / 2 / LANES)),
          },
        ],
        bytes: buffers.reduce((sum, [{ role }, bytes]) => sum + (role === 'scratch' ? 0 : bytes), 0),
        multiplyAdds: gate.multiplyAdds,
      };
    },
  },
];
