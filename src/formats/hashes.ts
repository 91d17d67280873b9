/**
 * A hash of each kernel's text and plan, by its id. The page compares these with the hashes in a recording
 * (measurements that come with it) to say which kernels have changed. By scripts/format-catalog.ts, loaded on demand.
 */
export { hashes } from 'virtual:kernel-hashes';
