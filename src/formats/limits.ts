/**
 * What limits each kernel besides bytes and arithmetic, by its id, in a sentence or two with the experiment that has
 * shown it. Formats say it in their `limits.ts`; scripts/format-catalog.ts gathers it, for a page that loads it when it
 * is asked for.
 */
export { limits } from 'virtual:kernel-limits';
