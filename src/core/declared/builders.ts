import type { ArrayConstructor } from '../allocate.ts';
import type { NamedArray } from '../encoded/encoded.ts';
import { type ElementType, halfConversionOf, zeroMemory, sharesBytes } from './element-type.ts';
import type { Builder, Lengths } from './builder.ts';
import { HalfBuilder, PackedBuilder, PlainBuilder } from './number-builders.ts';
import { GroupQuantisedBuilder, RowQuantisedBuilder } from './quantised-builders.ts';

// Chooses the builder for an array.

/** Options of a builder. */
export interface BuilderOptions extends Lengths {
  /** whether elements share words of 32 bits */
  readonly inWords: boolean;
  /** for quantised values: a scale for each row or 32 elements, and the builder of the scales */
  readonly quantised: { readonly by: 'row' | 32; readonly scales: Builder } | null;
}

/** A builder for an array of this type. Throws FormatError where memory is short. */
export function builderOf(name: string, type: ElementType, options: BuilderOptions): Builder {
  const { inWords, quantised } = options;
  if (quantised?.by === 'row') return new RowQuantisedBuilder(name, type, options, quantised.scales.finish());
  if (quantised) return new GroupQuantisedBuilder(name, type, options, quantised.scales);
  if (halfConversionOf(type)) return new HalfBuilder(name, type, options);
  if (inWords || sharesBytes(type)) return new PackedBuilder(name, type, inWords ? Uint32Array : Uint8Array, options);
  return new PlainBuilder(name, type, zeroMemory(type, 0).constructor as ArrayConstructor<NamedArray>, options);
}
