// The story of the tab Text, in which two texts are revealed step by step, and the texts as a file.

import { counted, say, strong, type Words } from '../../../../src/core/text/words.ts';
import type { PageStory } from '../../../../src/kit/page-parts.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { brokenWords } from '../text/headline.ts';
import { brokenTokens, freeTokens, isBrokenInBoth, textOf, type TextPair } from '../text/text-pair.ts';
import { costliest, lostBits } from '../text/lost-bits.ts';
import { wordAt } from '../text/wrap.ts';

/** How much of two texts is shown at a step. */
interface TextStep {
  /** held: the pruned model reads the dense model's text; free: it writes its own */
  readonly mode: 'held' | 'free';
  /** number of tokens shown after the prompt */
  readonly count: number;
}

/** An animation, a step for each token: the pruned model reads the dense model's text, then writes its own. */
export interface TextStory extends PageStory {
  at(step: number): TextStep;
}

/** A long text is read faster than a short one, so that all of it lasts at most a minute. */
const STORY_MS = 60_000;
const MAX_STEP_MS = 3600;

/** The story of two complete texts. `density`: the share of weights left in the pruned model. */
export function textStory(
  text: TextPair,
  { density, title, description }: Pick<PageStory, 'title' | 'description'> & { readonly density: number },
): TextStory {
  const readCount = text.readTokens.length;
  const firstDifference = text.free?.firstDifference ?? 0;
  const ownCount = density < 1 ? (text.free?.tokens.length ?? 0) : 0;
  const chapters = [
    { id: 'held', title: 'Dense text', firstStep: 0, stepCount: readCount },
    ...(ownCount > 0 ? [{ id: 'free', title: 'Its own text', firstStep: readCount, stepCount: ownCount }] : []),
  ];
  const stepCount = readCount + ownCount;
  return {
    title,
    description,
    chapters,
    stepCount,
    stepMs: Math.min(MAX_STEP_MS, STORY_MS / Math.max(1, stepCount)),
    opening: readCount,
    at: (step) =>
      step <= readCount ? { mode: 'held', count: step } : { mode: 'free', count: firstDifference + step - readCount },
    words: (step) =>
      step <= readCount ? readWords(text, step, density) : freeWords(text, firstDifference + step - readCount),
  };
}

/** While the pruned model reads the dense text: the bits lost so far, and the token that cost most. */
function readWords(text: TextPair, count: number, density: number): readonly Words[] {
  if (count === 0)
    return say`The dense model wrote this tale. The model with ${strong(densityText(density))} of its weights now reads it: the redder a token, the more bits are lost.`;
  const visibleTokens = text.readTokens.slice(0, count);
  const max = costliest(visibleTokens);
  const sum = Math.max(0, lostBits(visibleTokens)).toFixed(1);
  const summary =
    sum === '0.0'
      ? say`${strong('Nothing')} is lost in the first ${count} of ${text.readTokens.length} tokens.`
      : say`${strong(`${sum} bits`)} lost in the first ${count} of ${text.readTokens.length} tokens.`;
  const { lost, prunedToken } = visibleTokens[max];
  if (lost < 0.5) return summary;
  const word = wordAt([...text.prompt, ...visibleTokens.map((token) => token.text)], text.prompt.length + max);
  const instead =
    prunedToken === null || prunedToken.trim() === ''
      ? ''
      : `, where the pruned model would write “${prunedToken.trim()}”`;
  return [
    ...summary,
    ...say` The largest loss is at ${strong(`“${word || visibleTokens[max].text.trim()}”`)}: ${lost.toFixed(1)} bits${instead}.`,
  ];
}

/** While the pruned model writes: its first error (tales/judge.ts), once shown, and how long the texts agree. */
function freeWords(text: TextPair, count: number): readonly Words[] {
  const broken = brokenTokens(text);
  const firstDifference = text.free?.firstDifference ?? 0;
  const lawWords =
    broken && count >= broken.to ? brokenWords(text.outcome?.verdicts?.free ?? null, isBrokenInBoth(text)) : null;
  const differenceWords = say`On its own, the pruned model writes ${firstDifference === 0 ? 'another tale' : `the same ${counted(firstDifference, 'token')}, then others`}.`;
  return lawWords === null
    ? differenceWords
    : [{ text: lawWords.title, strong: true }, ...say`${lawWords.description} `, ...differenceWords];
}

/** Both texts as a file: the dense one, the pruned model's own, and its first error. */
export function textFile(text: TextPair, { title, description }: Pick<PageStory, 'title' | 'description'>): string {
  const lawWords = brokenWords(text.outcome?.verdicts?.free ?? null, isBrokenInBoth(text));
  return [
    `${title}, ${description}`,
    `\nDense:\n${textOf([...text.prompt, ...text.dense]).trim()}`,
    `\nPruned, its own text:\n${textOf([...text.prompt, ...freeTokens(text)]).trim()}`,
    lawWords === null ? '' : `\n${lawWords.title}${lawWords.description}`,
    '',
  ].join('\n');
}
