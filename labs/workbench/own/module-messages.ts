// Requests to the module of a custom format, and its answers. The page sends requests; answers come from the sandbox
// and stay `unknown` until parse-answers.ts has checked them.

import type { Elements } from '../../../src/core/declared/element-type.ts';
import type { NarratedStep, DecodedCells, Reads, Stores } from '../../../src/core/declared/record.ts';

/** The parameters of a custom format, by name. */
export type UserParams = Readonly<Record<string, number | string>>;

/** A matrix in a message, as CSR arrays. */
export interface MatrixMessage {
  readonly rows: number;
  readonly cols: number;
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/**
 * What is recorded during an encoding: nothing; every stored number and every call of `tell`, by which encode narrates
 * a step; or these with their lines in the module, which is several times slower.
 */
export type Recording = 'nothing' | 'steps' | 'lines';

/** An array by its name and its declaration: 'f16 values'. */
export type ArrayDeclaration = readonly [name: string, declaration: string];

/** A request to a module. */
export type Request =
  | { readonly ask: 'describe' }
  | { readonly ask: 'arrays'; readonly params: UserParams }
  | {
      readonly ask: 'encode';
      readonly matrix: MatrixMessage;
      readonly params: UserParams;
      readonly arrays: readonly ArrayDeclaration[];
      /** steps and lines only for small matrices */
      readonly recorded: Recording;
    }
  | {
      readonly ask: 'decode';
      readonly rows: number;
      readonly cols: number;
      readonly params: UserParams;
      readonly arrays: readonly (readonly [name: string, elements: Elements])[];
      /** with the elements that were read before each cell; only for small matrices */
      readonly recorded: boolean;
    };

/** The answer to a request, from a module that keeps to its interface. */
export type Answer =
  | {
      readonly answer: 'described';
      readonly title: unknown;
      /** name, options, meaning */
      readonly params: readonly (readonly [unknown, unknown, unknown])[];
    }
  | { readonly answer: 'arrays'; readonly arrays: readonly (readonly [unknown, unknown])[] }
  | {
      readonly answer: 'encoded';
      readonly arrays: readonly Elements[];
      /** number of padding elements of each array */
      readonly padding: readonly number[];
      /** the numbers that encode stored, and its calls of `tell`; null if not recorded */
      readonly stores: Stores | null;
      readonly narrated: readonly NarratedStep[] | null;
    }
  | {
      readonly answer: 'decoded';
      /** the cells that decode returned by its calls of `put` */
      readonly puts: DecodedCells;
      /** the first call of `put` with a cell outside the matrix, as text: 'put(0, -1, 2)' */
      readonly outside: string | null;
      /** the elements that decode read; null if not recorded */
      readonly reads: Reads | null;
    }
  /** the format cannot store the matrix: `refuses` returned the reason, or a number does not fit its array */
  | { readonly answer: 'refused'; readonly reason: string }
  | {
      readonly answer: 'failed';
      /** 'TypeError: ...' */
      readonly message: string;
      /** of the module's text; 0 if unknown */
      readonly line: number;
    };

/** Maximum elements of an array: several for each cell, so that a format may store every cell. */
export function maxElements(rows: number, cols: number): number {
  return 64 * 1024 + 8 * rows * cols;
}

/** Maximum bytes of all arrays together while a module encodes a matrix. */
export const MAX_BYTES = 2 ** 30;

/** Maximum characters of a message from a module. */
export const MAX_MESSAGE = 400;
