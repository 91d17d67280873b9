import type { AnyDeclaredFormat } from '../../core/declared/declarations.ts';
import type { AnyFormat } from '../../core/format.ts';
import type { StoryFrame } from '../flow/story-frames.ts';
import type { DeclaredTrace } from './trace.ts';

type MiddleFrames = (t: DeclaredTrace) => readonly StoryFrame[];

/**
 * A format with its story: its own, or else, for a declared format, the one derived from its encode and decode, with the
 * frames of the module that its `frames` loads.
 */
export function withStory(format: AnyFormat | AnyDeclaredFormat): AnyFormat {
  if ('story' in format) return format;
  const { title, aboutZeros, frames } = format;
  return {
    ...format,
    async story() {
      const [{ derivedStory }, written] = await Promise.all([import('./index.ts'), frames?.()]);
      // A declaration does not know the types of stories: `frames` of the module is a `MiddleFrames`.
      const middleFrames = written?.frames as MiddleFrames | undefined;
      return derivedStory(format, { title, aboutZeros, ...(middleFrames && { middleFrames }) });
    },
  };
}
