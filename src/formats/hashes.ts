/**
 * A hash of each kernel's text and plan, by its id, from scripts/format-catalog.ts: a recording holds those of its day, and
 * `isNewer` compares them. For a place to load on demand.
 */
export { hashes } from 'virtual:kernel-hashes';
