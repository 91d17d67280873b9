import { VALUE_BITS } from '../../../core/number/index.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { Stored } from '../../../state/index.ts';
import type { VariantCurve } from '../curves/size-curves.ts';
import type { Variant } from '../curves/variants.ts';
import type { TypedCurves } from '../curves/use-typed-curves.ts';

/** The size of one way to store the subject, for every share of weights left. */
export interface SizeLine {
  readonly key: string;
  /** 'MACKO', 'MACKO i8', 'MACKO 2 bits' */
  readonly title: string;
  readonly curve: VariantCurve;
  /** it is A or B of the sentence */
  readonly side: 'a' | 'b' | null;
  readonly isQuantised: boolean;
}

/** The bits of a value of most published models. */
const BITS = VALUE_BITS.f16;

/** The lines: A and B, every format with 16-bit values, those of A and B with 8 bits. Dense is constant: a rule. */
export function sizeLines(curves: readonly TypedCurves[], a: Stored, b: Stored | null): readonly SizeLine[] {
  const lines = new Map<string, SizeLine>();
  const add = (curve: VariantCurve, side: SizeLine['side']): void => {
    const { key, format, params } = curve.variant;
    if (format.id === referenceFormat.id || curve.heldUpTo === 0 || lines.has(key)) return;
    const valueType = String(params.valueType);
    const isUsual = bitsOf(valueType) === BITS;
    const title = isUsual ? format.title : `${format.title} ${valueType}`;
    const isTaken = [...lines.values()].some((line) => line.title === title);
    lines.set(key, {
      key,
      title: isTaken ? `${title} ${curve.variant.label}` : title,
      curve,
      side,
      isQuantised: bitsOf(valueType) < BITS,
    });
  };
  for (const [side, stored] of [['a', a] as const, ['b', b] as const]) {
    const found = stored && curveOfStored(curves, stored);
    if (found) add(found, side);
  }
  const isOfSides = ({ format }: TypedCurves): boolean => format.id === a.format || format.id === b?.format;
  for (const typed of curves) {
    const [current] = typed.variants;
    if (typed.valueType === 'f16' || (typed.valueType === 'i8' && isOfSides(typed))) add(current, null);
  }
  return [...lines.values()];
}

/** The curve of a format with these parameters; undefined if it is not sampled. */
function curveOfStored(curves: readonly TypedCurves[], { format, params }: Stored): VariantCurve | undefined {
  return curves
    .flatMap((typed) => (typed.format.id === format ? typed.variants : []))
    .find(({ variant }) => isStored(variant, params));
}

/** Whether parameters are those of a variant; 'auto' matches any value. */
function isStored({ params: own }: Variant, params: Stored['params']): boolean {
  return Object.entries(own).every(([name, value]) => params[name] === value || params[name] === 'auto');
}

function bitsOf(valueType: string): number {
  return Object.entries(VALUE_BITS).find(([name]) => name === valueType)?.[1] ?? BITS;
}

/** A way to store every cell in fewer bits: a rule across the chart. */
export interface DenseRule {
  readonly id: string;
  /** 'dense i4' */
  readonly title: string;
  /** bytes relative to dense f16 */
  readonly size: number;
  readonly curve: VariantCurve;
}

/** Dense in f16 and in fewer bits, the largest first. */
export function denseRules(curves: readonly TypedCurves[]): readonly DenseRule[] {
  return curves
    .filter(({ format, valueType }) => format.id === referenceFormat.id && bitsOf(valueType) <= BITS)
    .map(({ format, valueType, variants: [curve] }) => ({
      id: valueType,
      title: `${format.title} ${valueType}`,
      size: curve.sizes[curve.sizes.length - 1],
      curve,
    }))
    .toSorted((a, b) => b.size - a.size);
}
