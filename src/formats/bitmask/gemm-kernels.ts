import gemmByRow from '../../../shaders/bitmask/gemm_by_row.wgsl';
import type { NamedArray } from '../../core/encoded/encoded.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { tokenQuadsKernel } from '../../core/kernel/token-quads-plan.ts';
import { groupColumns } from './group-columns.ts';
import type { BitmaskEncoded } from './layout.ts';

const SUBGROUP_LANES = 128;
const WORKGROUP_LANES = 64;
/** Four sums. */
const WORKGROUP_BYTES_PER_LANE = 16;

/** Y = X A^T for up to 16 tokens; `pieces`: how values and the columns of groups are read. */
export function gemmKernels(
  pieces: (e: BitmaskEncoded) => readonly ShaderModule[],
): readonly KernelSpec<BitmaskEncoded>[] {
  const shared = {
    arrays: (e: BitmaskEncoded): readonly { readonly name: string; readonly data: NamedArray }[] => [
      { name: 'values', data: e.values },
      { name: 'mask', data: e.mask },
      { name: 'rowPtr', data: e.rowPtr },
    ],
    trailing: (e: BitmaskEncoded) => [{ name: 'groupColumns', data: groupColumns(e) }],
    pieces,
  };
  return [
    tokenQuadsKernel({
      ...shared,
      id: 'bitmask/gemm_subgroup_x16',
      title: 'subgroup per row, tokens side by side, f16',
      xType: 'f16',
      features: ['subgroups'],
      shader: gemmByRow.variants.subgroup,
      lanes: SUBGROUP_LANES,
      memoryBytes: 0,
      rowsPerWorkgroup: (device) => SUBGROUP_LANES / device.subgroupMaxSize,
    }),
    tokenQuadsKernel({
      ...shared,
      id: 'bitmask/gemm_workgroup',
      title: 'workgroup per row, without subgroups',
      xType: 'f32',
      features: [],
      shader: gemmByRow.variants.workgroup,
      lanes: WORKGROUP_LANES,
      memoryBytes: WORKGROUP_LANES * WORKGROUP_BYTES_PER_LANE,
      rowsPerWorkgroup: () => 1,
    }),
  ];
}
