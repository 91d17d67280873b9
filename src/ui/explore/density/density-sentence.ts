import type { Words } from '../../../core/story/scene.ts';
import { listText } from '../../../core/story/words.ts';
import type { Stretch } from './winners.ts';

/** A density in a sentence: two digits that count, '0.23', '0.0053', '0.94'. */
export function densityWord(density: number): string {
  return density < 0.1 ? String(Number(density.toPrecision(2))) : density.toFixed(2);
}

export interface SentenceParts {
  /** by size, ascending in density, by the titles of the formats */
  readonly smallest: readonly Stretch<string>[];
  /** by what was measured; empty before that */
  readonly fastest: readonly Stretch<string>[];
  /** what everything is compared with */
  readonly reference: string;
  /** of all formats that take part */
  readonly titles: readonly string[];
  /** what measured it: 'this GPU' */
  readonly device: string;
}

/** The answer in two or three sentences: who is fastest where, who is smallest where, who never is either. */
export function densitySentence({ smallest, fastest, reference, titles, device }: SentenceParts): readonly Words[] {
  if (smallest.length === 0) return [{ text: 'No format is chosen: tick one to see its size.' }];
  const winners = new Set([...smallest, ...fastest].map((s) => s.winner));
  const never = titles.filter((title) => !winners.has(title) && title !== reference);
  return [
    ...(fastest.length > 0 ? speedWords(fastest, reference, device) : []),
    ...sizeWords(smallest, reference),
    ...(never.length > 0 && never.length < 4
      ? [
          {
            text: ` ${listText(never)} ${never.length === 1 ? 'is' : 'are'} never ${fastest.length > 0 ? 'either' : 'it'}.`,
          },
        ]
      : []),
  ];
}

function speedWords(fastest: readonly Stretch<string>[], reference: string, device: string): readonly Words[] {
  const ahead = fastest.filter((s) => s.winner !== reference);
  if (ahead.length === 0)
    return [{ text: `On ${device} ` }, { text: `nothing beats ${reference}`, strong: true }, { text: '. ' }];
  const top = ahead.at(-1);
  const words = ahead.toReversed().map((s, i) => {
    if (i === 0) return `${s.winner} is the fastest below density ${densityWord(s.to)}`;
    return `${s.winner} below ${densityWord(s.to)}`;
  });
  const end = fastest.at(-1);
  const rest = end?.winner === reference && top !== undefined ? `; above it nothing beats ${reference}. ` : '. ';
  return [{ text: `On ${device} ` }, { text: words.join(', '), strong: true }, { text: rest }];
}

function sizeWords(smallest: readonly Stretch<string>[], reference: string): readonly Words[] {
  const ahead = smallest.filter((s) => s.winner !== reference).toReversed();
  if (ahead.length === 0) return [{ text: `Nothing is smaller than ${reference}.` }];
  const parts = ahead.map(({ winner, from, to }, i) => {
    if (i === 0) {
      const until = ahead.length === 1 ? '' : ` down to ${densityWord(from)}`;
      return `${winner} from density ${densityWord(to)}${until}`;
    }
    return i === ahead.length - 1 ? `${winner} below` : `${winner} down to ${densityWord(from)}`;
  });
  return [
    { text: 'The smallest is ' },
    { text: listText(parts), strong: true },
    { text: ahead[0].to < 1 ? `; above ${densityWord(ahead[0].to)} nothing is smaller than ${reference}.` : '.' },
  ];
}
