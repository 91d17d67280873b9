/**
 * What limits the speed of each kernel besides bytes and arithmetic, by the kernel's id: a short text with the
 * experiment that showed it. Gathered from every format's `limits.json` (scripts/format-catalog.ts), loaded on demand.
 */
export { limits } from 'virtual:kernel-limits';
