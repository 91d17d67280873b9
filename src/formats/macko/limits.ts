/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'macko/spmv_staged':
    'No part alone: of 54.2 µs at 12288 × 12288 and density 0.5, 43.2 remain without gaps, 45.6 without values, 50.7 without reading x, 53.9 without the scan. It reaches 77 % of the read speed; what keeps it from the rest is not known.',
  'macko/spmv_staged_x16':
    'It reaches 0.89 to 0.95 of the speed of its twin with x in f32, from which it differs in unpacking every x, for half of the workgroup memory.',
  'macko/spmv_rows':
    'Loads of a row that wait for others of it: at 4096 × 4096 and density 0.1 its first two steps are there after 4.2 of 5.6 µs, and leaving out scan and x saves 0.1. An empty dispatch takes 1.5.',
  'macko/spmv_subgroup':
    'Reading x from caches, and whole rows: 63.7 µs at 12288 × 12288 and density 0.5, where the staged kernel took 53.9. Which of both it is was not measured.',
  'macko/spmv_subgroup_x16':
    'With x in f16, caches hold twice as much of it: 60.4 instead of 63.7 µs at 12288 × 12288 and density 0.5. What the rest waits for was not measured.',
  'macko/spmv_workgroup':
    'About half of the speed of its twin with subgroups, from which it differs in that its scan of column gaps goes through workgroup memory, with barriers.',
  'macko/spmv_panels':
    'What limits macko/spmv_staged, and a second pass that adds up what the panels leave: 59.1 instead of 53.4 µs where one panel is enough, at 12288 × 12288 and density 0.5.',
  'macko/gemm_subgroup':
    'By counting, the gather: at 12288 × 12288, density 0.5 and four tokens, finding x at random places of 16 bytes takes 100 of 138 µs. Nothing was left out to see whether that is so.',
  'macko/gemm_subgroup_x16':
    'By counting, the gather: at 12288 × 12288, density 0.5 and four tokens, finding x at random places of 8 bytes takes 59 of 110 µs. Nothing was left out to see whether that is so.',
};
