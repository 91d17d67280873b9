/**
 * What limits each kernel besides bytes and arithmetic, by the id of the kernel: a sentence or two, with the experiment
 * that showed it. Gathered by scripts/format-catalog.ts from the `limits.json` of every format, loaded on demand.
 */
export { limits } from 'virtual:kernel-limits';
