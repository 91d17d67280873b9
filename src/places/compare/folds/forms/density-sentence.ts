import type { Words } from '../../../../core/story/scene.ts';
import { listText } from '../../../../core/story/words.ts';
import type { Stretch } from '../../curves/winners.ts';
import { roughDensity } from '../../../../kit/words/shares.ts';

interface SentenceParts {
  /** smallest formats by title, ascending in density */
  readonly smallest: readonly Stretch<string>[];
  /** fastest formats by measured speed; empty before any is measured */
  readonly fastest: readonly Stretch<string>[];
  /** the baseline of all comparisons */
  readonly reference: string;
  /** titles of all chosen formats */
  readonly titles: readonly string[];
  /** the device of the measured speeds, to follow 'on' */
  readonly on: string;
  /** why they say nothing about a GPU, as one sentence; null where they do */
  readonly caution: string | null;
}

/**
 * The answer in two or three sentences: which format is fastest and which smallest at which densities, and which never
 * is.
 */
export function densitySentence({
  smallest,
  fastest,
  reference,
  titles,
  on,
  caution,
}: SentenceParts): readonly Words[] {
  if (smallest.length === 0) return [{ text: 'No format is chosen: tick one to see its size.' }];
  const winners = new Set([...smallest, ...fastest].map((s) => s.winner));
  const never = titles.filter((title) => !winners.has(title) && title !== reference);
  return [
    ...(fastest.length > 0 ? speedWords(fastest, reference, { on, caution }) : []),
    ...sizeWords(smallest, reference),
    ...(never.length > 0 && never.length < 4
      ? [
          {
            text: ` ${listText(never)} ${never.length === 1 ? 'is' : 'are'} never ${fastest.length > 0 ? 'the fastest or the smallest' : 'the smallest'}.`,
          },
        ]
      : []),
  ];
}

function speedWords(
  fastest: readonly Stretch<string>[],
  reference: string,
  { on, caution }: Pick<SentenceParts, 'on' | 'caution'>,
): readonly Words[] {
  const ahead = fastest.filter((s) => s.winner !== reference).toReversed();
  // Ahead where measuring ended: what lies above is not known.
  const isOpen = fastest.at(-1)?.winner !== reference;
  const words = ahead.map(({ winner, to }, i) => {
    if (i > 0) return `${winner} below ${roughDensity(to)}`;
    return isOpen
      ? `${winner} is the fastest up to density ${roughDensity(to)}, the highest measured`
      : `${winner} is the fastest below density ${roughDensity(to)}`;
  });
  const said = ahead.length === 0 ? `nothing beats ${reference}` : words.join(', ');
  const rest =
    ahead.length > 0 && fastest.at(-1)?.winner === reference ? `; above that, nothing beats ${reference}. ` : '. ';
  return [
    { text: `On ${on}, ` },
    { text: said, strong: true },
    { text: caution === null ? rest : `${rest}${caution} ` },
  ];
}

function sizeWords(smallest: readonly Stretch<string>[], reference: string): readonly Words[] {
  const ahead = smallest.filter((s) => s.winner !== reference).toReversed();
  if (ahead.length === 0) return [{ text: `Nothing is smaller than ${reference}.` }];
  const parts = ahead.map(({ winner, from, to }, i) => {
    if (i === 0) {
      const until = ahead.length === 1 ? '' : ` down to ${roughDensity(from)}`;
      return `${winner} from density ${roughDensity(to)}${until}`;
    }
    return i === ahead.length - 1 ? `${winner} below` : `${winner} down to ${roughDensity(from)}`;
  });
  return [
    { text: 'The smallest is ' },
    { text: listText(parts), strong: true },
    { text: ahead[0].to < 1 ? `; above ${roughDensity(ahead[0].to)}, nothing is smaller than ${reference}.` : '.' },
  ];
}
