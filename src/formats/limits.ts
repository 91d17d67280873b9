/**
 * What limits each kernel besides bytes and arithmetic, by its id, in a sentence or two with the experiment that showed
 * it. Formats declare it in their `limits.json`; scripts/format-catalog.ts gathers it, for a page that loads it on
 * demand.
 */
export { limits } from 'virtual:kernel-limits';
