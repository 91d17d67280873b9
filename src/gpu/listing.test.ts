import { describe, expect, it } from 'vitest';
import type { KernelPlan } from '../core/kernel/kernel.ts';
import type { GpuContext } from './device.ts';
import { listPasses } from './listing.ts';
import { compilePass } from './pipelines.ts';

const PIECE = `// toy/piece: a piece.
// Provides: TWICE.

// Lanes of a workgroup,
// a power of two.
override TWICE: u32 = 2u;
`;
const KERNEL = `// toy/kernel: a kernel.
enable subgroups;

@group(0) @binding(0) var<uniform> params: Params;
// One per column.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;
// One per row; written
// in one pass.
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
`;

const PLAN: KernelPlan = {
  buffers: [
    { role: 'params', name: 'sizes', data: Uint32Array.of(4, 8) },
    { role: 'input', name: 'x', type: 'f32' },
    { role: 'output', name: 'sums', bytes: 16 },
  ],
  passes: [
    {
      files: [
        { path: 'toy/piece.wgsl', code: PIECE },
        { path: 'toy/kernel.wgsl', code: KERNEL },
      ],
      constants: { TWICE: 64 },
      bindings: ['sizes', 'sums', 'x'],
      workgroups: [3, 1, 1],
    },
  ],
  bytes: 0,
};

describe('listPasses', () => {
  it('lists bindings in order, with their buffers, and overrides with the values that the plan sets', () => {
    const [pass] = listPasses(PLAN);
    expect(
      pass.bindings.map(({ binding, name, type, access, buffer, meaning }) => [
        binding,
        name,
        type,
        access,
        buffer.name,
        meaning,
      ]),
    ).toEqual([
      [0, 'params', 'Params', 'uniform', 'sizes', ''],
      [1, 'y', 'array<f32>', 'storage', 'sums', 'One per row; written in one pass.'],
      [2, 'x', 'array<vec4<f32>>', 'read-only-storage', 'x', 'One per column.'],
    ]);
    expect(pass.overrides).toEqual([
      { name: 'TWICE', type: 'u32', value: 64, isSet: true, meaning: 'Lanes of a workgroup, a power of two.' },
    ]);
    expect(pass).toMatchObject({ path: 'toy/kernel.wgsl', workgroups: [3, 1, 1] });
  });

  it('returns the text that the engine compiles, verbatim', async () => {
    const compiled: string[] = [];
    const stopped = new Error('far enough');
    const device = {
      pushErrorScope: () => {},
      createShaderModule({ code }: { readonly code: string }) {
        compiled.push(code);
        throw stopped;
      },
    };
    const context = { device, whileAlive: (promise: Promise<unknown>) => promise } as unknown as GpuContext;
    await expect(compilePass(context, 'toy/kernel', PLAN.passes[0])).rejects.toBe(stopped);
    expect(listPasses(PLAN).map(({ code }) => code)).toEqual(compiled);
    expect(compiled[0].split('\n').slice(0, 3)).toEqual([
      'enable subgroups;',
      '// ---- toy/piece.wgsl',
      '// toy/piece: a piece.',
    ]);
  });

  it('rejects a plan that binds an unknown buffer', () => {
    const passes = [{ ...PLAN.passes[0], bindings: ['sizes', 'total', 'x'] }];
    expect(() => listPasses({ ...PLAN, passes })).toThrow("binding 1: found no buffer 'total' in the plan");
  });
});
