import { fitsLimits } from '../../core/kernel/device-limits.ts';
import type { Admission } from '../../core/format.ts';
import { tileFor, tileNeeds } from '../../core/kernel/gemm-plan.ts';
import type { BufferPlan, DeviceFacts, KernelSpec, ShaderFile, SizedPass } from '../../core/kernel/kernel.ts';
import { fourStride } from '../../core/kernel/matmul-plan.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import {
  COLUMNS_PER_LANE,
  convertedGateSteps,
  convertStep,
  DOWN,
  gateMemory,
  gateStep,
  gateTile,
  MOST_CHUNKS,
  TOKEN_LANES,
  tokenStep,
  unpackStep,
  UP_DOWN,
} from './block-steps.ts';
import type { TwellEncoded } from './layout.ts';
import { readPacked, readTokens } from './read-packed.ts';

/**
 * The feed-forward block with h in packed TwELL, made and read inside the block. Of the encoded matrix, kernels that make
 * h take the shape, the tile and the slots. Inputs as src/core/operations/feed-forward.ts defines them.
 */

const ONLY_PACKED = { layout: ['packed'] } as const;

const halves = (count: number): number => 2 * count;
const wordBytes = ({ rows, tiles, slots }: TwellEncoded): number => 4 * rows * tiles * slots;

const input = (name: string, type: 'bf16' | 'f32' = 'bf16'): BufferPlan => ({ role: 'input', name, type });
const stored = ({ words }: TwellEncoded): BufferPlan => ({ role: 'sparse', name: 'words', data: words });
const outputOf = (name: string, bytes: number): BufferPlan => ({ role: 'output', name, bytes });
/** What leaves the block, and how many tile rows of each token had lost non-zeros. */
const tokenOutputs = ({ rows }: TwellEncoded, width: number): readonly BufferPlan[] => [
  outputOf('y', 4 * rows * width),
  outputOf('overflow', 4 * rows),
];
const scratchOf = (name: string, bytes: number): BufferPlan => ({ role: 'scratch', name, bytes });

interface Parts {
  readonly steps: readonly SizedPass[];
  readonly buffers: readonly BufferPlan[];
}

interface BlockKernel {
  readonly id: string;
  readonly operation: string;
  readonly title: string;
  readonly roundings: number;
  readonly features?: readonly string[];
  readonly more?: Pick<KernelSpec<TwellEncoded>, 'outputType' | 'read'>;
  /** bytes of workgroup memory and lanes */
  readonly needs: (device: DeviceFacts, sizes: Sizes, e: TwellEncoded) => { memoryBytes: number; lanes: number };
  readonly partsOf: (e: TwellEncoded, sizes: Sizes, device: DeviceFacts) => Parts;
}

function blockKernel(kernel: BlockKernel): KernelSpec<TwellEncoded> {
  const { id, title, operation, roundings, features = [], more, needs, partsOf } = kernel;
  const bytesOf = (e: TwellEncoded, width: number, buffer: BufferPlan): number => {
    if (buffer.role === 'sparse') return buffer.data.byteLength;
    if (buffer.role === 'output' || buffer.role === 'scratch') return buffer.bytes;
    if (buffer.role === 'params') return 0;
    return buffer.name === 'h' ? 4 * e.rows * e.cols : halves((buffer.name === 'x' ? e.rows : e.cols) * width);
  };
  return {
    id,
    title,
    operation,
    roundings,
    features,
    only: ONLY_PACKED,
    ...more,
    fits(e, device, sizes): Admission {
      const width = sizes.width ?? 0;
      const most = TOKEN_LANES * COLUMNS_PER_LANE * MOST_CHUNKS;
      if (width > most && partsOf(e, sizes, device).steps.some(({ pass }) => pass.bindings.includes('y'))) {
        return { ok: false, reason: `holds up to ${most} columns of y at once, found ${width}`, remedy: null };
      }
      const { buffers } = partsOf(e, sizes, device);
      return fitsLimits(
        buffers.map((buffer) => [buffer.name, bytesOf(e, width, buffer)] as const),
        needs(device, sizes, e),
        device,
      );
    },
    plan(e, device, sizes) {
      const { steps, buffers } = partsOf(e, sizes, device);
      const moved = buffers.filter((buffer) => buffer.role !== 'scratch');
      const multiplyAdds = steps.reduce((sum, step) => sum + step.multiplyAdds, 0);
      return {
        buffers: [...steps.map(({ params }) => params), ...buffers],
        passes: steps.map(({ pass }) => pass),
        bytes: moved.reduce((sum, buffer) => sum + bytesOf(e, sizes.width ?? 0, buffer), 0),
        ...(multiplyAdds > 0 ? { multiplyAdds } : {}),
      };
    },
  };
}

const gateNeeds: BlockKernel['needs'] = (device) => ({
  memoryBytes: gateMemory(device),
  lanes: gateTile(device).lanes,
});
const convertedGateNeeds: BlockKernel['needs'] = (device, _sizes, e) => tileNeeds(tileFor(e.rows, e.cols, device));
const tokenNeeds: BlockKernel['needs'] = () => ({ memoryBytes: 44 * TOKEN_LANES, lanes: TOKEN_LANES });
const copyNeeds: BlockKernel['needs'] = () => ({ memoryBytes: 0, lanes: TOKEN_LANES });
const forwardNeeds: BlockKernel['needs'] = (device, sizes, e) => ({
  memoryBytes: Math.max(gateMemory(device), tokenNeeds(device, sizes, e).memoryBytes),
  lanes: TOKEN_LANES,
});

const TOKEN_OUTPUT = { read: readTokens } as const;
const PACKED_OUTPUT = { outputType: 'bf16', read: readPacked } as const;

/** The kernel in its two variants. */
function bothVariants(
  base: Omit<BlockKernel, 'id' | 'title' | 'partsOf' | 'features'> & { readonly name: string; readonly title: string },
  partsOf: (e: TwellEncoded, sizes: Sizes, device: DeviceFacts, kernel: ShaderFile) => Parts,
): readonly KernelSpec<TwellEncoded>[] {
  const { name, title, ...rest } = base;
  return [
    blockKernel({
      ...rest,
      id: `twell/${name}_subgroup`,
      title,
      features: ['subgroups'],
      partsOf: (e, sizes, device) => partsOf(e, sizes, device, UP_DOWN.subgroup),
    }),
    blockKernel({
      ...rest,
      id: `twell/${name}_workgroup`,
      title: `${title}, without subgroups`,
      partsOf: (e, sizes, device) => partsOf(e, sizes, device, UP_DOWN.workgroup),
    }),
  ];
}

export const blockKernels: readonly KernelSpec<TwellEncoded>[] = [
  blockKernel({
    id: 'twell/gate',
    operation: 'gate',
    title: 'GEMM that packs its own tiles',
    roundings: 1,
    needs: gateNeeds,
    more: PACKED_OUTPUT,
    partsOf: (e, { width }, device) => ({
      steps: [gateStep(e, width, device)],
      buffers: [input('x'), input('wg'), outputOf('words', wordBytes(e))],
    }),
  }),
  blockKernel({
    id: 'twell/gate_converted',
    operation: 'gate',
    title: 'GEMM stored in full, packed in a second pass',
    roundings: 1,
    needs: convertedGateNeeds,
    more: PACKED_OUTPUT,
    partsOf: (e, { width }, device) => ({
      steps: convertedGateSteps(e, width, device),
      buffers: [
        input('x'),
        input('wg'),
        scratchOf('hidden', halves(e.rows * fourStride(e.cols))),
        outputOf('words', wordBytes(e)),
      ],
    }),
  }),
  ...bothVariants(
    {
      name: 'up_down',
      operation: 'up-down',
      title: 'a workgroup per token, neurons that answered alone',
      roundings: 3,
      needs: tokenNeeds,
      more: TOKEN_OUTPUT,
    },
    (e, { width }, _device, kernel) => ({
      steps: [tokenStep(e, width, kernel, true)],
      buffers: [input('x'), input('wu'), input('wd'), stored(e), ...tokenOutputs(e, width)],
    }),
  ),
  blockKernel({
    id: 'twell/down',
    operation: 'down',
    title: 'a workgroup per token, neurons that answered alone',
    roundings: 2,
    needs: tokenNeeds,
    more: TOKEN_OUTPUT,
    partsOf: (e, { width }) => ({
      steps: [tokenStep(e, width, DOWN, false)],
      buffers: [input('wd'), stored(e), ...tokenOutputs(e, width)],
    }),
  }),
  ...bothVariants(
    {
      name: 'forward',
      operation: 'forward',
      title: 'gate that packs, then up and down of neurons that answered',
      roundings: 3,
      needs: forwardNeeds,
      more: TOKEN_OUTPUT,
    },
    (e, { width }, device, kernel) => ({
      steps: [gateStep(e, width, device), tokenStep(e, width, kernel, true)],
      buffers: [
        input('x'),
        input('wg'),
        input('wu'),
        input('wd'),
        scratchOf('words', wordBytes(e)),
        ...tokenOutputs(e, width),
      ],
    }),
  ),
  blockKernel({
    id: 'twell/convert',
    operation: 'convert',
    title: 'a lane per tile row',
    roundings: 1,
    needs: copyNeeds,
    more: { read: readPacked },
    partsOf: (e) => ({
      steps: [convertStep(e, 'h', 'f32')],
      buffers: [input('h', 'f32'), outputOf('words', wordBytes(e))],
    }),
  }),
  blockKernel({
    id: 'twell/unpack',
    operation: 'unpack',
    title: 'a workgroup per token',
    roundings: 1,
    needs: copyNeeds,
    partsOf: (e) => ({ steps: [unpackStep(e)], buffers: [stored(e), outputOf('h', 4 * e.rows * e.cols)] }),
  }),
];
