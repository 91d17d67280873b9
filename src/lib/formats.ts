/** The entry point 'sparsescope/formats': every format with its kernels. */
export { formatById, formats } from '../formats/registry.ts';
