import gateInFull from '../../../shaders/common/gate_in_full.wgsl';
import convert from '../../../shaders/ell/convert.wgsl';
import layOut from '../../../shaders/ell/lay_out.wgsl';
import { largestNeeds } from '../../core/kernel/device-limits.ts';
import { foldWorkgroups, type KernelSpec, type SizedPass } from '../../core/kernel/kernel.ts';
import { fourStride, type Matmul, matmulChoices, matmulNeeds, matmulPass } from '../../core/kernel/matmul-plan.ts';
import { input, multiPassKernel, output, type Part, scratch } from '../../core/kernel/multi-pass-plan.ts';
import { f16Table, VALUE_BITS } from '../../core/number/index.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import type { EllEncoded } from './layout.ts';
import { OverflowError } from '../../core/errors.ts';

/**
 * The gate of a feed-forward block into ELL, for comparison with TwELL: the rows have to lie there in full before they can
 * be packed. The kernel uses the shape and the slots per row of the encoded matrix; every row has that many.
 */

const LANES = 256;

/** Buffers besides those of sizes. The outputs are read by `readRows`. */
function buffersOf(e: EllEncoded, width: number): readonly Part[] {
  const { rows, cols } = e;
  const places = rows * e.width;
  return [
    input('x', rows * width),
    input('wg', cols * width),
    scratch('hidden', 2 * rows * fourStride(cols)),
    scratch('entries', 8 * places),
    output('values', wordBytes(places, VALUE_BITS[e.valueType])),
    output('indices', wordBytes(places, e.indexBits)),
    output('counts', 4 * rows),
  ];
}

function gateOf({ rows, cols }: EllEncoded, width: number): Matmul {
  return {
    m: rows,
    n: cols,
    k: width,
    a: { buffer: 'x', type: 'bf16', stored: 'rows', stride: width },
    b: { buffer: 'wg', type: 'bf16', stored: 'rows', stride: width },
    output: 'hidden',
    outputStride: fourStride(cols),
    kernel: gateInFull,
  };
}

function convertStep({ rows, cols, width: slots }: EllEncoded): SizedPass {
  return {
    params: { role: 'params', name: 'convert sizes', data: Uint32Array.of(rows, cols, slots) },
    pass: {
      files: shaderFiles(convert),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['convert sizes', 'hidden', 'entries', 'counts'],
      workgroups: foldWorkgroups(rows),
    },
    multiplyAdds: 0,
  };
}

function layOutStep({ rows, width: slots, valueType, indexBits }: EllEncoded): SizedPass {
  return {
    params: {
      role: 'params',
      name: 'layout sizes',
      data: Uint32Array.of(rows, slots, VALUE_BITS[valueType], indexBits),
    },
    pass: {
      files: shaderFiles(layOut),
      constants: { WORKGROUP_SIZE: LANES },
      bindings: ['layout sizes', 'entries', 'counts', 'values', 'indices'],
      workgroups: foldWorkgroups(Math.ceil((rows * slots) / 2 / LANES)),
    },
    multiplyAdds: 0,
  };
}

export const blockKernels: readonly KernelSpec<EllEncoded>[] = [
  multiPassKernel<EllEncoded>({
    id: 'ell/gate_converted',
    title: 'dense GEMM output, whole rows packed in two further passes',
    operation: 'gate',
    roundings: 1,
    outputType: 'bf16',
    read: readRows,
    needs: (e, device, { width }) =>
      largestNeeds([matmulNeeds([gateOf(e, width)], device), { lanes: LANES, memoryBytes: 8 * LANES }]),
    choices: (e, device, { width }) => matmulChoices([gateOf(e, width)], device),
    partsOf: (e, { width }, device, chosen) => ({
      steps: [matmulPass('gate sizes', gateOf(e, width), device, chosen), convertStep(e), layOutStep(e)],
      buffers: buffersOf(e, width),
    }),
  }),
];

/** Bytes of an array of `count` elements that is written word by word. */
function wordBytes(elements: number, bits: number): number {
  return 4 * Math.ceil((elements * bits) / 32);
}

/**
 * The cells of the ELL rows that a kernel wrote with the capacity of `e`, row by row: words of values, then of indices,
 * then a count per row. Throws OverflowError for the first row that is longer than its slots; RangeError for an invalid
 * column. O(rows * (width + cols)).
 */
function readRows(
  { rows, cols, width, valueType, indexBits }: Pick<EllEncoded, 'rows' | 'cols' | 'width' | 'valueType' | 'indexBits'>,
  words: Uint32Array<ArrayBuffer>,
): Float32Array {
  const places = rows * width;
  const indicesAt = words.byteOffset + wordBytes(places, VALUE_BITS[valueType]);
  const countsAt = indicesAt + wordBytes(places, indexBits);
  const counts = new Uint32Array(words.buffer, countsAt, rows);
  const isLong = (count: number): boolean => count > width;
  const first = counts.findIndex(isLong);
  if (first >= 0) {
    const long = counts.reduce((sum, count) => sum + (isLong(count) ? 1 : 0), 0);
    throw new OverflowError(
      `${long} of ${rows} rows overflow, the first at token ${first}: found ${counts[first]} non-zeros, expected at most ${width}; choose TwELL, or the hybrid`,
    );
  }
  const values =
    valueType === 'f16'
      ? new Uint16Array(words.buffer, words.byteOffset, places)
      : new Float32Array(words.buffer, words.byteOffset, places);
  const indices =
    indexBits === 16
      ? new Uint16Array(words.buffer, indicesAt, places)
      : new Uint32Array(words.buffer, indicesAt, places);
  const table = f16Table();
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    for (let at = r; at < counts[r] * rows; at += rows) {
      if (indices[at] >= cols) {
        throw new RangeError(`indices[${at}]: found column ${indices[at]}, expected at most ${cols - 1}`);
      }
      cells[r * cols + indices[at]] = valueType === 'f16' ? table[values[at]] : values[at];
    }
  }
  return cells;
}
