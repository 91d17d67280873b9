import { useMemo } from 'react';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { LEFT_AXES } from '../curves/left-axis.ts';
import type { SizeQuestion, Variant } from '../curves/variants.ts';
import { merged, smallestAlong } from '../curves/winners.ts';
import type { TypedCurves } from './use-typed-curves.ts';
import { type Strip, WinnerStrips } from './WinnerStrips.tsx';

interface SmallestStripsProps {
  readonly curves: readonly TypedCurves[];
  readonly question: SizeQuestion;
  readonly scale: 'linear' | 'log';
  readonly onPick: (share: number) => void;
}

/** Which format is the smallest over what is left: with values of 16 bits, and of all. */
export function SmallestStrips({ curves, question, scale, onPick }: SmallestStripsProps) {
  const strips = useMemo(
    () => [
      stripOf(
        'smallest in f16',
        curves.filter(({ valueType }) => valueType === 'f16'),
        question,
      ),
      stripOf('smallest of all', curves, question),
    ],
    [curves, question],
  );
  return <WinnerStrips strips={strips} axis={LEFT_AXES[scale]} onPick={onPick} />;
}

function stripOf(name: string, curves: readonly TypedCurves[], question: SizeQuestion): Strip {
  const all = curves.flatMap(({ variants }) => variants);
  const stretches = merged(smallestAlong(all, question), ({ variant }) => nameOf(variant));
  const formatOf = new Map(all.map(({ variant }) => [nameOf(variant), variant.format.id]));
  return {
    name,
    says: 'is the smallest',
    parts: stretches.map(({ from, to, winner }) => {
      const id = formatOf.get(winner) ?? referenceFormat.id;
      return {
        key: `${winner} ${from}`,
        from,
        to,
        title: winner,
        detail: '',
        color: cssColorOf(id),
        textColor: cssTextColorOf(id),
      };
    }),
    empty: 'no format is chosen',
  };
}

/** 'MACKO', 'MACKO i8', 'dense i4' */
function nameOf({ format, params: { valueType } }: Variant): string {
  const bits = Object.entries(VALUE_BITS).find(([name]) => name === valueType)?.[1] ?? VALUE_BITS.f16;
  return bits === VALUE_BITS.f16 ? format.title : `${format.title} ${String(valueType)}`;
}
