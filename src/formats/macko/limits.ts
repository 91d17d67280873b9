/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'macko/spmv_staged':
    'Gathers of x from workgroup memory: random columns collide on its banks, about 3.5 turns for 32 lanes. Without the gather, 11008 × 4096 took 20.7 instead of 23.1 µs. At low densities, copying x into each workgroup.',
  'macko/spmv_staged_x16':
    'Gathers of x from workgroup memory, which random columns make collide on its banks; with x in f16 it also unpacks every value: 0.89 to 0.95 of the speed of its twin with x in f32.',
  'macko/spmv_subgroup':
    'Gathers of x from caches instead of workgroup memory: 63.7 µs where the staged kernel takes 53.9 at 12288 × 12288 and density 0.5.',
  'macko/spmv_subgroup_x16':
    'Gathers of x from caches; x in f16 halves what they hold: 60.4 instead of 63.7 µs at 12288 × 12288 and density 0.5.',
  'macko/spmv_workgroup':
    'The scan of column gaps goes through workgroup memory, with barriers: about half of the speed of its twin with subgroups.',
};
