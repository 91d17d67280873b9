import spmv from '../../../shaders/dense/spmv.wgsl';
import rowQuadDigits from '../../../shaders/dense/row_quad_digits.wgsl';
import xDigits from '../../../shaders/dense/x_digits.wgsl';
import { fitsLimits, laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type DeviceFacts,
  splitWorkgroups,
  type KernelSpec,
  type ShaderKernel,
  subgroupVariants,
} from '../../core/kernel/kernel.ts';
import { input, output, partsPlan, scratch, storedPart } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { nextPowerOfTwo } from '../../core/kernel/spmv-plan.ts';
import { Q4_GROUP } from '../../core/number/index.ts';
import type { DenseEncoded } from './layout.ts';

/*
 * y = A x of 4-bit cells by dot products of bytes. A first pass writes x in block floating point: 31-bit mantissas in
 * four int8 limbs (digits), and one shared power-of-two scale (unit) per 32 columns. Products of cells and digits are
 * exact.
 *
 * The rounding of x: if the largest |x| of the 32 columns is in [2^e, 2^(e + 1)), with e of at least -93, the unit is 2^(e - 29), so that the largest
 * becomes an integer of 30 bits. Rounding to integers changes an x by at most half a unit, 2^(e - 30), or 2^-30 of the
 * largest. An x is exact if its last bit is worth at least a unit: f16, whose last bit is worth at least 2^-24, if e <= 5, so
 * below 64; f32, whose last bit is worth 2^-23 of its power of two, from 2^(e - 6) on, so from 1/64 of the largest on.
 */

/** Rows of a workgroup, as in shaders/dense/row_quad_digits.wgsl. */
const ROWS = 4;
/** Groups of 32 columns that a lane reads in an iteration of that shader's loop. */
const GROUPS_OF_STEP = 2;
const MIN_LANES = 32;
const MAX_LANES = 64;
/** Columns per workgroup of the first pass, as in shaders/dense/x_digits.wgsl. */
const DIGITS_COLUMNS = 256;
/** Digits of an x, a byte each. */
const DIGITS = 4;
/** Groups of 32 columns whose digits are interleaved, as in shaders/dense/digit_places.wgsl. */
const NEXT_FOUR = 32;

const groupsOf = ({ stride }: DenseEncoded): number => stride / Q4_GROUP;

function scratchBytes(e: DenseEncoded): { readonly digits: number; readonly units: number } {
  const groups = Math.max(1, groupsOf(e));
  return { digits: Math.ceil(groups / NEXT_FOUR) * NEXT_FOUR * Q4_GROUP * DIGITS, units: 4 * groups };
}

/** The scales of four rows at a time, group by group; 0 past the last row. O(rows * groups). */
function scalesByFours(e: DenseEncoded): Uint16Array<ArrayBuffer> {
  const groups = groupsOf(e);
  const ordered = new Uint16Array(Math.ceil(e.rows / ROWS) * ROWS * groups);
  for (let r = 0; r < e.rows; r++) {
    const to = (r - (r % ROWS)) * groups + (r % ROWS);
    for (let g = 0; g < groups; g++) ordered[to + g * ROWS] = e.scales[r * groups + g];
  }
  return ordered;
}

function lanesFor(e: DenseEncoded, { limits }: DeviceFacts): number {
  const enough = nextPowerOfTwo(groupsOf(e) / GROUPS_OF_STEP);
  return Math.max(MIN_LANES, Math.min(MAX_LANES, enough, limits.maxComputeInvocationsPerWorkgroup));
}

function digitsKernel({ id, title, features, shader }: ShaderKernel): KernelSpec<DenseEncoded> {
  return {
    id,
    title,
    operation: 'spmv',
    // Two in the sum of the upper digits, one in the sum of the lower, one in adding both, one in scaling.
    extraRoundings: 5,
    storesZeros: true,
    features,
    only: { valueType: ['i4'] },
    fits(e, device) {
      const { digits, units } = scratchBytes(e);
      const lanes = lanesFor(e, device);
      return fitsLimits(
        [
          ['data', e.data.byteLength],
          ['scales', 2 * Math.ceil(e.rows / ROWS) * ROWS * groupsOf(e)],
          ['digits', digits],
          ['units', units],
          ['x', 4 * e.cols],
          ['y', 4 * e.rows],
        ],
        { lanes, memoryBytes: lanes * ROWS * 4 },
        device,
      );
    },
    choices: (e, device) => [laneChoice(lanesFor(e, device), device, ROWS * 4)],
    plan(e, device, _, { lanes = lanesFor(e, device) } = {}) {
      const { digits, units } = scratchBytes(e);
      const params = { role: 'params', name: 'params', data: Uint32Array.of(e.rows, e.cols, e.stride) } as const;
      const parts = [
        storedPart('data', e.data),
        storedPart('scales', scalesByFours(e)),
        input('x', e.cols, 'f32'),
        scratch('digits', digits),
        scratch('units', units),
        output('y', 4 * e.rows),
      ];
      const passes = [
        {
          files: shaderFiles(xDigits),
          constants: {},
          bindings: ['params', 'digits', 'x', 'units'],
          workgroups: splitWorkgroups(Math.ceil(e.stride / DIGITS_COLUMNS)),
        },
        {
          files: shaderFiles(shader, [rowQuadDigits]),
          constants: { WORKGROUP_SIZE: lanes, FULL_STEPS: Math.floor(groupsOf(e) / (GROUPS_OF_STEP * lanes)) },
          bindings: ['params', 'data', 'digits', 'y', 'scales', 'units'],
          workgroups: splitWorkgroups(Math.ceil(e.rows / ROWS)),
        },
      ];
      return { ...partsPlan([params], parts, passes), isStoredOnce: true }; // every output, by the last pass
    },
  };
}

/** The two kernels for this product: with subgroups, and without. */
export const digitsKernels: readonly KernelSpec<DenseEncoded>[] = subgroupVariants(
  'dense/spmv_digits',
  'x in four digits, dot products of bytes',
  spmv,
  digitsKernel,
);
