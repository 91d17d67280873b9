import type { AnyListedFormat } from '../../core/format.ts';
import { encodingOf, type EncodingState, type FormatChoice, choiceA, type StoryState } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { storedName } from '../../kit/words/answer-names.ts';

/** One of the formats compared on the page, A or B, with its encoding of the matrix and its story. */
export interface Side {
  readonly side: 'a' | 'b';
  readonly format: AnyListedFormat;
  /** id of the format, and its parameters */
  readonly stored: FormatChoice;
  /** name in texts; the names of A and B differ even if both are one format with other parameters */
  readonly name: string;
  readonly encoding: EncodingState | undefined;
  readonly story: StoryState;
}

/** Format A and, if it is compared with another one, format B. */
export function useSides(): readonly [Side] | readonly [Side, Side] {
  const { formats } = useApp();
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => choiceA(doc).params);
  const choiceB = useDocument((doc) => doc.formatB);
  const encodings = useSession((s) => s.encodings);
  const stories = [useSession((s) => s.trace), useSession((s) => s.storyB)] as const;
  const sideOf = (choice: FormatChoice, otherChoice: FormatChoice | null, i: 0 | 1): Side => {
    const sideFormat = formats.find(({ id }) => id === choice.format) ?? formats[0];
    return {
      side: i === 0 ? 'a' : 'b',
      format: sideFormat,
      stored: choice,
      name: storedName(sideFormat, choice, otherChoice),
      encoding: encodingOf(encodings, choice),
      story: stories[i],
    };
  };
  const a = { format, params };
  return choiceB ? [sideOf(a, choiceB, 0), sideOf(choiceB, a, 1)] : [sideOf(a, null, 0)];
}
