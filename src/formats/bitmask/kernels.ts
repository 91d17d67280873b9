import groupColumnsShader from '../../../shaders/bitmask/group_columns.wgsl';
import groupScales from '../../../shaders/common/group_scales.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import values from '../../../shaders/common/values.wgsl';
import spmvStaged from '../../../shaders/bitmask/spmv_staged.wgsl';
import spmvByRow from '../../../shaders/bitmask/spmv_by_row.wgsl';
import gemmByRow from '../../../shaders/bitmask/gemm_by_row.wgsl';
import type { Choice } from '../../core/kernel/choices.ts';
import { fitsLimits } from '../../core/kernel/device-limits.ts';
import {
  shareChoices,
  type ShareCounts,
  stagedShares,
  withEqualShares,
  SHARE_WORDS,
} from '../../core/kernel/equal-shares.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { type StoredArrays, storedArrays, storedScales } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { byRowKernels, fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { type BitmaskEncoded, lowestBit } from './layout.ts';
import { FOUR_SUMS_BYTES, tokenQuadsKernels } from '../../core/kernel/token-quads-plan.ts';
import { allocateIndices } from '../../core/allocate.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { WORD_BITS } from './params.ts';

/**
 * Columns in which a lane searches, without branches, for a group of eight values that does not lie within 32
 * columns. If it does not lie within these either, the lane reads value by value: below a density of about 1/20, few groups
 * lie within 64 columns.
 */
const AGAIN_COLUMNS = 64;
const AGAIN_CHOICE: Choice = { kind: 'one-of', name: 'columns', start: AGAIN_COLUMNS, values: [AGAIN_COLUMNS, 32] };

/** Shader modules that read values of each type, and their scales (binding 7). */
const VALUES: Readonly<Record<BitmaskEncoded['valueType'], readonly ShaderModule[]>> = {
  f16: [values.variants.f16, rowScale.variants.none],
  f32: [values.variants.f32, rowScale.variants.none],
  i8: [values.variants.i8, rowScale.variants.at_7],
  i4: [values.variants.i4_entries, groupScales.variants.at_7, rowScale.variants.none],
};

/** The shader modules that read values, and the first column of every eight of them. */
function piecesOf(e: BitmaskEncoded): readonly ShaderModule[] {
  return [...VALUES[e.valueType], groupColumnsShader.variants[e.cols > NARROW_COLUMNS ? 32 : 16]];
}

/** Arrays that are bound after the output: group columns, and scales of i8 and i4. */
function trailing(e: BitmaskEncoded): StoredArrays {
  return [{ name: 'groupColumns', data: groupColumns(e) }, ...storedScales(e)];
}

/** The buffers without the group columns, which take time to compute and only a plan needs. */
function buffers(e: BitmaskEncoded, rowPtr = e.rowPtr): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, 1],
    arrays: storedArrays({ ...e, rowPtr }, ['values', 'mask', 'rowPtr']),
    xType: 'f32',
  };
}

/** All buffers, with the group columns, which are computed on first use. */
function allBuffers(e: BitmaskEncoded, rowPtr = e.rowPtr): SpmvBuffers {
  return { ...buffers(e, rowPtr), trailing: trailing(e) };
}

/** The WebGPU kernels of the bitmask format, for y = A x and for Y = X Aᵀ with up to 16 tokens. */
export const kernels: readonly KernelSpec<BitmaskEncoded>[] = [
  {
    id: 'bitmask/spmv_staged',
    title: 'equal shares, x in workgroup memory',
    operation: 'spmv',
    extraRoundings: 2,
    features: ['subgroups'],
    fits(e, device) {
      const needs = stagedShares(e.cols, 'f32', device);
      const columns = fitsLimits([['groupColumns', groupColumnBytes(e)]], needs, device);
      return columns.ok ? fitsDevice(buffers(e), needs, device) : columns;
    },
    choices: (_, device) => [...shareChoices(device), AGAIN_CHOICE],
    plan(e, device, _, chosen) {
      const { counts, constants } = stagedShares(e.cols, 'f32', device, chosen);
      return spmvPlan(allBuffers(e, valueShares(e, counts)), {
        files: shaderFiles(spmvStaged, piecesOf(e)),
        constants: { ...constants, AGAIN_COLUMNS: chosen?.columns ?? AGAIN_COLUMNS },
        workgroupCount: counts.workgroups,
      });
    },
  },
  ...byRowKernels('bitmask', spmvByRow, {
    extraRoundings: 2,
    choices: [AGAIN_CHOICE],
    buffers: (e: BitmaskEncoded) => buffers(e),
    derivedArray: { buffers: (e) => allBuffers(e), bytes: (e) => ['groupColumns', groupColumnBytes(e)] },
    pieces: piecesOf,
    constants: (_e, _lanes, _device, { columns = AGAIN_COLUMNS }) => ({ AGAIN_COLUMNS: columns }),
  }),
  ...tokenQuadsKernels('bitmask', ['f16'], {
    shader: gemmByRow,
    bytesPerLane: FOUR_SUMS_BYTES,
    arrays: (e) => buffers(e).arrays,
    trailing,
    pieces: piecesOf,
  }),
];

/**
 * The row starts, then where each subgroup's equal share of the values begins, as shaders/common/staged.wgsl reads it
 * with rows_of_words. The third word of a share is the first mask word of its row. O(shares * log rows).
 */
function valueShares(e: BitmaskEncoded, counts: ShareCounts): Uint32Array<ArrayBuffer> {
  const starts = withEqualShares(e.rowPtr, counts);
  for (let i = e.rows + 1; i < starts.length; i += SHARE_WORDS) starts[i + 2] = starts[i + 1] * e.wordsPerRow;
  return starts;
}

/** Values in a group: as many as a lane of the kernels multiplies at a time. */
const GROUP = 8;
/** The most columns for which group columns are u16. */
const NARROW_COLUMNS = 65536;

/** For each group of eight values, the column of the first. */
type GroupColumns = Uint16Array | Uint32Array;

const cache = new WeakMap<BitmaskEncoded, GroupColumns>();

/** Bytes of `groupColumns`. O(1). */
export function groupColumnBytes({ nnz, cols }: BitmaskEncoded): number {
  return Math.ceil(nnz / GROUP) * (cols > NARROW_COLUMNS ? 4 : 2);
}

/**
 * For every group of eight values (counted across all rows) the column of the first: an extra array for kernels whose
 * lanes begin in the middle of a row. Length ceil(nnz / 8); u16, or u32 for more than 65536 columns. Cached per matrix.
 * O(rows * wordsPerRow + nnz). Throws FormatError if there is no memory.
 */
export function groupColumns(e: BitmaskEncoded): GroupColumns {
  const columns = cache.get(e) ?? columnsOf(e);
  cache.set(e, columns);
  return columns;
}

/** Computes `groupColumns`. */
function columnsOf({ rows, cols, nnz, wordsPerRow, mask }: BitmaskEncoded): GroupColumns {
  const columns = allocateIndices('groupColumns', cols > NARROW_COLUMNS ? 32 : 16, Math.ceil(nnz / GROUP));
  // numbers of values before the word, and before the next group
  let before = 0;
  let next = 0;
  for (let row = 0; row < rows; row++) {
    for (let word = 0; word < wordsPerRow; word++) {
      let bits = mask[row * wordsPerRow + word] | 0;
      const end = before + popcount(bits);
      while (next < end) {
        for (; before < next; before++) bits &= bits - 1;
        columns[next / GROUP] = WORD_BITS * word + lowestBit(bits);
        next += GROUP;
      }
      before = end;
    }
  }
  return columns;
}
