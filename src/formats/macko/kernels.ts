import groupScales from '../../../shaders/common/group_scales.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import values from '../../../shaders/common/values.wgsl';
import staged from '../../../shaders/common/staged.wgsl';
import stagedXShader from '../../../shaders/common/staged_x.wgsl';
import xGlobal from '../../../shaders/common/x_global.wgsl';
import deltas from '../../../shaders/macko/deltas.wgsl';
import spmvRows from '../../../shaders/macko/spmv_rows.wgsl';
import spmvStaged from '../../../shaders/macko/spmv_staged.wgsl';
import spmv from '../../../shaders/macko/spmv.wgsl';
import type { Choice } from '../../core/kernel/choices.ts';
import { fitsLimits, laneChoice } from '../../core/kernel/device-limits.ts';
import { maxLanes, shareChoices, stagedShares, stagedX, withEqualShares } from '../../core/kernel/equal-shares.ts';
import { type DeviceFacts, splitWorkgroups, type KernelSpec } from '../../core/kernel/kernel.ts';
import {
  input,
  output,
  partsPlan,
  scratch,
  storedArrays,
  storedParts,
  storedScales,
} from '../../core/kernel/multi-pass-plan.ts';
import { minPanels, panelChoice, panelShares, sumPanelsPass, withPanelShares } from '../../core/kernel/panel-shares.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice, rowKernel, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { convertKernel } from './convert-kernel.ts';
import { type MackoEncoded, passedColumns } from './layout.ts';
import { panelSplits } from './column-panels.ts';
import { tokenSharesKernels } from '../../core/kernel/token-shares-plan.ts';
import gemmByRow from '../../../shaders/macko/gemm_by_row.wgsl';
import gemmShares from '../../../shaders/macko/gemm_shares.wgsl';
import { FOUR_SUMS_BYTES, tokenQuadsKernels } from '../../core/kernel/token-quads-plan.ts';
import { expandedKernel } from './expanded-kernel.ts';

/** Shader modules that read values of each type, and their scales. */
const VALUE_MODULES: Readonly<Record<MackoEncoded['valueType'], readonly ShaderModule[]>> = {
  f16: [values.variants.f16, rowScale.variants.none],
  f32: [values.variants.f32, rowScale.variants.none],
  i8: [values.variants.i8, rowScale.variants.at_6],
  i4: [values.variants.i4_entries, groupScales.variants.at_6, rowScale.variants.none],
};

/** Shader modules that read values, skips and scales of this matrix. */
function modulesOf(e: MackoEncoded): readonly ShaderModule[] {
  return [...VALUE_MODULES[e.valueType], deltas.variants[e.deltaBits]];
}

function buffers(e: MackoEncoded, xType: XType, indptr = e.indptr): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols],
    arrays: storedArrays({ ...e, indptr }, ['values', 'deltas', 'indptr']),
    xType,
    trailing: storedScales(e),
  };
}

type XType = 'f32' | 'f16';

/** Id and title of a kernel with x in this type. */
function idAndTitle(name: string, title: string, xType: XType): Pick<KernelSpec<MackoEncoded>, 'id' | 'title'> {
  return xType === 'f32' ? { id: `macko/${name}`, title } : { id: `macko/${name}_x16`, title: `${title}, f16` };
}

/** Shared by the SpMV kernels whose rows are summed by subgroups. */
const SUBGROUP_SPMV = { operation: 'spmv', extraRoundings: 2, features: ['subgroups'] } as const;

/**
 * The number of workgroups if each subgroup computes a row. A workgroup may have more subgroups than counted here, where all
 * have the largest size.
 */
function subgroupPerRow(rows: number, lanes: number, { subgroupMaxSize }: DeviceFacts): number {
  return Math.ceil(rows / (lanes / subgroupMaxSize));
}

/** One subgroup per row; x is read from global memory. */
function subgroupKernel(xType: XType): KernelSpec<MackoEncoded> {
  return rowKernel({
    ...idAndTitle('spmv_subgroup', 'x from global memory', xType),
    shader: spmv.variants.subgroup,
    features: SUBGROUP_SPMV.features,
    extraRoundings: SUBGROUP_SPMV.extraRoundings,
    lanes: 128,
    memoryBytesPerLane: 0,
    rowsPerWorkgroup: (device, lanes) => lanes / device.subgroupMaxSize,
    buffers: (e) => buffers(e, xType),
    pieces: (e) => [...modulesOf(e), xGlobal.variants[xType]],
    constants: (_e, _lanes, device) => ({ MAX_SUBGROUP_SIZE: device.subgroupMaxSize }),
  });
}

/** Equal shares of the entries for each subgroup; x is copied to workgroup memory. */
function stagedKernel(xType: XType): KernelSpec<MackoEncoded> {
  return {
    ...idAndTitle('spmv_staged', 'equal shares, x in workgroup memory', xType),
    ...SUBGROUP_SPMV,
    fits: (e, device) => fitsDevice(buffers(e, xType), stagedShares(e.cols, xType, device), device),
    choices: (_, device) => shareChoices(device),
    plan(e, device, _, chosen) {
      const { counts, constants } = stagedShares(e.cols, xType, device, chosen);
      const starts = withEqualShares(e.indptr, counts, (row, entry) => passedColumns(e, e.indptr[row], entry));
      const pieces = [...modulesOf(e), staged.variants.shares, stagedXShader.variants[`share_${xType}`]];
      return spmvPlan(buffers(e, xType, starts), {
        files: shaderFiles(spmvStaged, pieces),
        constants: { ...constants, MAX_SUBGROUP_SIZE: device.subgroupMaxSize },
        workgroupCount: counts.workgroups,
      });
    },
  };
}

/** Tuning choice: lanes subtracted from the choice 'lanes', 0 or half of its step. */
const LANES_LEFT_OUT = 'lanes left out';

/** Tuning choice: steps of a row whose entries are loaded before x is copied to workgroup memory. */
const EARLY_CHOICE: Choice = { kind: 'one-of', name: 'early steps', start: 2, values: [2, 3, 4] };

/**
 * Sizes of workgroups to try, in steps of an eighth of the maximum; `LANES_LEFT_OUT` is half a step. The best size
 * leaves few rows over when all processors, whose number is unknown, have had equally many workgroups.
 */
function rowChoices(device: DeviceFacts): readonly Choice[] {
  const max = maxLanes(device);
  const halfStep = Math.max(device.subgroupMaxSize, max / 16);
  const values: number[] = [];
  for (let lanes = max; lanes >= max / 4; lanes -= 2 * halfStep) values.push(lanes);
  return [
    { kind: 'one-of', name: 'lanes', start: max, values },
    EARLY_CHOICE,
    // On a device with few lanes, half a step less would be no lanes.
    ...(values.every((lanes) => lanes > halfStep)
      ? [{ kind: 'one-of', name: LANES_LEFT_OUT, start: 0, values: [0, halfStep] } as const]
      : []),
  ];
}

/** One subgroup per row; x is copied to workgroup memory, by each workgroup for few rows. No list of shares is loaded. */
function rowsKernel(xType: XType): KernelSpec<MackoEncoded> {
  return {
    ...idAndTitle('spmv_rows', 'subgroup per row, x in workgroup memory', xType),
    ...SUBGROUP_SPMV,
    fits: (e, device) => fitsDevice(buffers(e, xType), stagedX(e.cols, xType, maxLanes(device)), device),
    choices: (_, device) => rowChoices(device),
    plan(e, device, _, choices = {}) {
      const lanes = (choices.lanes ?? maxLanes(device)) - (choices[LANES_LEFT_OUT] ?? 0);
      return spmvPlan(buffers(e, xType), {
        files: shaderFiles(spmvRows, [...modulesOf(e), stagedXShader.variants[xType]]),
        constants: {
          ...stagedX(e.cols, xType, lanes).constants,
          EARLY_STEPS: choices[EARLY_CHOICE.name] ?? EARLY_CHOICE.start,
          MAX_SUBGROUP_SIZE: device.subgroupMaxSize,
        },
        workgroupCount: subgroupPerRow(e.rows, lanes, device),
      });
    },
  };
}

/** Copies x to workgroup memory a panel of columns at a time, and divides the entries of each panel into equal shares. */
const panelKernel: KernelSpec<MackoEncoded> = {
  id: 'macko/spmv_panels',
  title: 'equal shares of panels, x in workgroup memory',
  ...SUBGROUP_SPMV,
  fits(e, device) {
    const partials: readonly [string, number] = ['partials', 4 * e.rows * minPanels(e.cols, device)];
    const needs = panelShares(e.cols, device);
    const partialsFit = fitsLimits([partials], needs, device);
    return partialsFit.ok ? fitsDevice(buffers(e, 'f32'), needs, device) : partialsFit;
  },
  choices: (e, device) => [...shareChoices(device), panelChoice(e.cols, device)],
  plan(e, device, _, chosen) {
    const { counts, constants, panels } = panelShares(e.cols, device, chosen);
    const splits = panelSplits(e, panels);
    const starts = withPanelShares(splits, counts, (begin, entry) => passedColumns(e, begin, entry));
    const { arrays, trailing = [] } = buffers(e, 'f32', starts);
    const params = { role: 'params', name: 'params', data: Uint32Array.of(e.rows, e.cols) } as const;
    const partials = scratch('partials', 4 * e.rows * panels);
    const storedBuffers = storedParts([...arrays, ...trailing]);
    const parts = [...storedBuffers, input('x', e.cols, 'f32'), partials, output('y', 4 * e.rows)];
    const pieces = [...modulesOf(e), staged.variants.panel_shares, stagedXShader.variants.share_f32];
    const passes = [
      {
        files: shaderFiles(spmvStaged, pieces),
        constants: { ...constants, MAX_SUBGROUP_SIZE: device.subgroupMaxSize },
        bindings: ['params', ...arrays.map(({ name }) => name), 'x', 'partials', ...trailing.map(({ name }) => name)],
        workgroups: splitWorkgroups(counts.workgroups),
      },
      sumPanelsPass(e.rows, panels, ['params', 'partials', 'y']),
    ];
    return { ...partsPlan([params], parts, passes), isStoredOnce: true };
  },
};

const WORKGROUP_KERNEL_LANES = 64;
/** Bytes of workgroup memory for a lane: two pairs of running counts (16), and an eighth of that. */
const WORKGROUP_KERNEL_BYTES_PER_LANE = 18;
/** Lanes per row (a team) without a tuning trial. */
const TEAM_LANES = 16;

/** Lanes per row: at most 32, so that a workgroup of 32 has one team. */
const TEAM_CHOICE: Choice = { kind: 'one-of', name: 'lanes per row', start: TEAM_LANES, values: [8, 16, 32] };

/** y = A x for devices without subgroups: the lanes of a row add up their skips in workgroup memory. */
const workgroupKernel: KernelSpec<MackoEncoded> = {
  id: 'macko/spmv_workgroup',
  title: 'a few lanes per row, without subgroups',
  operation: 'spmv',
  extraRoundings: 2,
  features: [],
  fits: (e, device) =>
    fitsDevice(
      buffers(e, 'f32'),
      { lanes: WORKGROUP_KERNEL_LANES, memoryBytes: WORKGROUP_KERNEL_LANES * WORKGROUP_KERNEL_BYTES_PER_LANE },
      device,
    ),
  choices: (_, device) => [TEAM_CHOICE, laneChoice(WORKGROUP_KERNEL_LANES, device, WORKGROUP_KERNEL_BYTES_PER_LANE)],
  plan: (e, _device, _sizes, { lanes = WORKGROUP_KERNEL_LANES, [TEAM_CHOICE.name]: team = TEAM_LANES } = {}) =>
    spmvPlan(buffers(e, 'f32'), {
      files: shaderFiles(spmv.variants.workgroup, modulesOf(e)),
      constants: { WORKGROUP_SIZE: lanes, TEAM: team },
      workgroupCount: Math.ceil(e.rows / (lanes / team)),
    }),
};

/** Shared by the kernels for up to 16 tokens. */
const tokenKernel = {
  trailing: (e: MackoEncoded) => storedScales(e),
  pieces: modulesOf,
  constants: (device: DeviceFacts) => ({ MAX_SUBGROUP_SIZE: device.subgroupMaxSize }),
};

/** The WebGPU kernels of MACKO: y = A x, Y = X Aᵀ for few and for many tokens, and the encoder. */
export const kernels: readonly KernelSpec<MackoEncoded>[] = [
  stagedKernel('f32'),
  stagedKernel('f16'),
  rowsKernel('f32'),
  rowsKernel('f16'),
  panelKernel,
  subgroupKernel('f16'),
  subgroupKernel('f32'),
  workgroupKernel,
  ...tokenSharesKernels('macko', {
    ...tokenKernel,
    // The delta width that is fastest for one token; for others, the kernels below suffice.
    only: { deltaBits: [4] },
    shader: gemmShares,
    arrays: (e) => buffers(e, 'f32').arrays.slice(0, 2),
    splits: panelSplits,
    passed: passedColumns,
  }),
  ...tokenQuadsKernels('macko', ['f32', 'f16'], {
    ...tokenKernel,
    shader: gemmByRow,
    // Sums, and two running counts.
    bytesPerLane: FOUR_SUMS_BYTES + 8,
    arrays: (e) => buffers(e, 'f32').arrays,
  }),
  convertKernel,
  expandedKernel,
];
