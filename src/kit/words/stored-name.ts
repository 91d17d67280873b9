import type { AnyListedFormat } from '../../core/format.ts';
import type { FormatChoice } from '../../state/index.ts';

/** The name of A or B in a sentence: 'MACKO'; 'dense f16'; with the parameters that differ if both are the same format. */
export function storedName(
  { title, id }: Pick<AnyListedFormat, 'id' | 'title'>,
  { params }: FormatChoice,
  other: FormatChoice | null,
): string {
  const own = Object.entries(params);
  if (own.length === 1) return `${title} ${String(own[0][1])}`;
  if (other?.format !== id) return title;
  const unlike = own.filter(([name, value]) => other.params[name] !== value).map(([, value]) => String(value));
  return [title, ...unlike].join(' ');
}
