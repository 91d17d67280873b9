import type { AnyDeclaredFormat } from '../../core/declared/declarations.ts';
import type { AnyFormat } from '../../core/format.ts';

/** A format with its story: its own, or else, for a declared format, the one derived from its encode and decode. */
export function withStory(format: AnyFormat | AnyDeclaredFormat): AnyFormat {
  if ('story' in format) return format;
  const { title, aboutZeros } = format;
  return { ...format, story: async () => (await import('./index.ts')).derivedStory(format, { title, aboutZeros }) };
}
