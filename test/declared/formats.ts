import type { AnyFormat } from '../../src/core/format.ts';
import { formats } from '../../src/formats/registry.ts';
import { deltaCsr } from './delta-csr/index.ts';

/** The formats that keep the contract: those of the registry, and the example of CONTRIBUTING.md. */
export const contractFormats: readonly AnyFormat[] = [...formats, deltaCsr];
