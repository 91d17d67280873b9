// The headline of the tab Text: the effect of pruning on the text, and the words while it is written.

import type { Words } from '../../../../src/core/text/words.ts';
import { NO_NETWORK } from '../../../../src/core/error-messages.ts';
import { say, strong } from '../../../../src/core/text/words.ts';
import type { Law, Verdict } from '../../tales/judge.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import type { MeasuredFigures } from '../use-measured-pruning.ts';
import { freeTokens, isBrokenInBoth, type TextPair } from './text-pair.ts';
import { costliest } from './lost-bits.ts';
import { visibleToken, wordAt } from './wrap.ts';

/** The facts that the headline of the tab Text states. */
export interface HeadlineFacts {
  /** share of weights left; 1 for an unpruned model */
  readonly density: number;
  /** pruning, value type and format chosen for single matrices, in words; null: none, 'mixed': not all the same */
  readonly overridesTitle?: string | null;
  readonly text: TextPair;
  /** whether the model writes tales (short stories by rules that can be checked); default: it does */
  readonly areTales?: boolean;
  /** figures on many tales at this density, and unpruned (`dense`); null if unknown */
  readonly pruned: MeasuredFigures | null;
  readonly dense: MeasuredFigures | null;
}

/** What a pruned model does wrong, by its first error (a `Law` of tales/judge.ts); follows 'it'. */
const MISTAKES: Readonly<Record<Exclude<Law, 'undecided'>, string>> = {
  spelling: 'writes words that do not exist',
  grammar: 'writes sentences that no tale has',
  owner: 'mixes up who owns what',
  name: 'mixes up names',
  pronoun: 'mixes up pronouns',
  color: 'mixes up colors',
  number: 'miscounts',
  riddle: 'solves a riddle wrong',
  place: 'mixes up where things are',
  tool: 'mixes up tools',
  thing: 'mixes up things',
  order: 'writes sentences in the wrong order',
  end: 'ends a tale too early or too late',
};

/** A loss in bits below which nothing is visible in the text. */
const VISIBLE_BITS = 0.5;

/**
 * The effect of the pruning on the text, then on many tales: the first error in the pruned model's own text, else the
 * word from which this text is another one, else the token that lost most bits, else that nothing is visible. Null
 * until both texts are complete.
 */
export function headline(facts: HeadlineFacts): readonly Words[] | null {
  const { density, overridesTitle = null, text, areTales = true, pruned, dense } = facts;
  const { outcome, readTokens } = text;
  if (outcome === null) return null;
  if (density >= 1 && overridesTitle === null)
    return say`Nothing is pruned${unprunedText(pruned ?? dense)}. Prune to see what the model forgets.`;
  const lead = leadText(density, overridesTitle);
  const figures = figuresText(pruned, dense);
  const broken = outcome.verdicts?.free.broken ?? null;
  if (broken !== null && broken.law !== 'undecided' && !isBrokenInBoth(text)) {
    const knownFact = predictedFact(text);
    const mistake = mistakeWords(broken);
    return knownFact === null
      ? [...say`${lead} it `, ...mistake, ...say`.${figures}`]
      : [...say`${lead} it still knows ${strong(knownFact)}, but `, ...mistake, ...say`.${figures}`];
  }
  const thing = areTales ? 'tale' : 'text';
  if (broken === null && text.free !== null && text.free.tokens.length > 0) {
    const word = wordIn([...text.prompt, ...freeTokens(text)], text.prompt.length + text.free.firstDifference);
    const errors = outcome.verdicts ? ', without an error' : '';
    return say`${lead} it writes ${strong(`another ${thing}`)} from “${word}” on${errors}.${figures}`;
  }
  const position = costliest(readTokens);
  if (position >= 0 && readTokens[position].lost >= VISIBLE_BITS) {
    const word = wordIn([...text.prompt, ...readTokens.map((token) => token.text)], text.prompt.length + position);
    return say`${lead} it loses most at ${strong(word)}: ${readTokens[position].lost.toFixed(1)} bits.${figures}`;
  }
  return say`${lead} it shows ${strong('no loss')} in this ${thing}.${figures}`;
}

/** The heading before the text exists: the pruning of the model that writes the text. */
export function writingText(density: number, overridesTitle: string | null, name: string): string {
  return density >= 1 && overridesTitle === null
    ? `${name} is writing`
    : `${leadText(density, overridesTitle)} ${name} is writing`;
}

/**
 * The heading after the writing was stopped, or failed with the message `error`. `isBegun`: a part of the text exists.
 */
export function unfinishedText(name: string, isBegun: boolean, error: string): string {
  if (error.includes(NO_NETWORK)) return `${name} is not loaded: it needs a network`;
  return isBegun ? `${name} has not finished its text` : `${name} has written nothing yet`;
}

/** The word that contains a token; without letters, the token itself in visible characters. */
function wordIn(tokens: readonly string[], position: number): string {
  return wordAt(tokens, position) || visibleToken(tokens[position] ?? '');
}

/** The pruning and storage of the model, with which the headline begins. */
function leadText(density: number, overridesTitle: string | null): string {
  const left = density === 0.5 ? 'half' : densityText(density);
  if (overridesTitle === null) return `With ${left} of its weights,`;
  return overridesTitle === 'mixed'
    ? `With mixed choices and ${left} of its weights,`
    : `With every matrix ${overridesTitle},`;
}

/** ': 12 of 100 tales have errors', about the unpruned model; '' if unknown. */
function unprunedText(measured: MeasuredFigures | null): string {
  if (measured === null || measured.unbroken === null || measured.judged === null) return '';
  return `: ${errorsText(measured.unbroken, measured.judged)}`;
}

/** '12 of 100 tales have errors'. */
function errorsText(unbroken: number, judged: number): string {
  const broken = judged - unbroken;
  if (broken === judged) return `all ${judged} tales have errors`;
  return `${broken === 0 ? 'none' : broken} of ${judged} tales ${broken < 2 ? 'has' : 'have'} errors`;
}

/**
 * ' 45 of 100 tales have errors; unpruned, 12.' Bits per byte for a model that does not write tales, or if the
 * two were judged on different numbers of tales. '' if figures are missing.
 */
function figuresText(pruned: MeasuredFigures | null, dense: MeasuredFigures | null): string {
  if (pruned === null || dense === null) return '';
  const { judged } = pruned;
  if (pruned.unbroken === null || dense.unbroken === null || judged === null || judged !== dense.judged)
    return ` It needs ${pruned.bitsPerByte.toFixed(3)} bits per byte (unpruned: ${dense.bitsPerByte.toFixed(3)}).`;
  const errors = errorsText(pruned.unbroken, judged).replace(/^./, (letter) => letter.toUpperCase());
  return ` ${errors}; unpruned, ${judged - dense.unbroken || 'none'}.`;
}

/** The first error of the pruned model's text, as a habit of the model; a word that does not exist is quoted. */
function mistakeWords({ law, found: foundWord }: NonNullable<Verdict['broken']>): readonly Words[] {
  if (law === 'undecided') return [];
  return law === 'spelling' && foundWord.trim() !== ''
    ? say`${MISTAKES.spelling}, such as ${strong(`“${foundWord}”`)}`
    : [strong(MISTAKES[law])];
}

/** A question on an owner whose answer the pruned model still predicts: 'whose box is green'; null if none. */
function predictedFact({ prompt, dense, readTokens }: TextPair): string | null {
  const start = prompt.join('').length;
  const fullText = prompt.join('') + dense.join('');
  // For example: "Whose box is green?" asked Tom. "Anna's."
  for (const match of fullText.matchAll(
    /"Whose ([a-z' -]+?) (is|was|are|were) ([a-z]+)\?"[^"]*"([A-Z][a-z]+)('s)?[.,!]"?/g,
  )) {
    const [question, things, verb, property, owner] = match;
    // The answer: the opening quote and the owner's name.
    const answerStart = match.index + question.lastIndexOf(`"${owner}`);
    const answerEnd = answerStart + owner.length + 1;
    if (answerStart < start) continue;
    let offset = start;
    let lost = 0;
    for (const token of readTokens) {
      if (offset + token.text.length > answerStart && offset < answerEnd) lost += Math.max(0, token.lost);
      offset += token.text.length;
    }
    if (offset >= answerEnd && lost < VISIBLE_BITS) return `whose ${things} ${verb} ${property}`;
  }
  return null;
}

/** The first error in words: its kind, then where and why. Null without one. `isInBoth`: the dense text has it, too. */
export function brokenWords(
  verdict: Verdict | null,
  isInBoth: boolean,
): { readonly title: string; readonly description: string } | null {
  const broken = verdict?.broken ?? null;
  if (broken === null) return null;
  const { law, sentence, found: foundWord, wanted: expectedWords } = broken;
  const position = `sentence ${sentence + 1} of ${verdict?.sentences ?? 1}`;
  const list =
    expectedWords.length > 1
      ? `${expectedWords.slice(0, -1).join(', ')} or ${expectedWords[expectedWords.length - 1]}`
      : expectedWords[0];
  const expectation = list === undefined ? '' : ` Expected: ${list}.`;
  return {
    title: law.replace(/^./, (letter) => letter.toUpperCase()),
    description: `${isInBoth ? ', in both texts' : ''}, ${position}: ${LAW_TEXTS[law](foundWord)}${expectation}`,
  };
}

/** Why a word is an error, by the kind of error; follows ': '. */
const LAW_TEXTS: Readonly<Record<Law, (foundWord: string) => string>> = {
  spelling: (word) => `the language has no word “${word}”.`,
  grammar: (word) => `no tale has such a sentence${word === '' ? '' : `, from “${word}” on`}.`,
  owner: (word) => `“${word}” is not the owner.`,
  name: (word) => `“${word}” is the wrong name.`,
  pronoun: (word) => `“${word}” is ambiguous or wrong.`,
  color: (word) => `the color is wrong at “${word}”.`,
  number: (word) => `“${word}” is the wrong number.`,
  riddle: (word) => `“${word}” does not solve the riddle.`,
  place: (word) => `“${word}” is the wrong place.`,
  tool: (word) => `“${word}” is the wrong tool.`,
  thing: (word) => `“${word}” is the wrong thing.`,
  order: (word) => `this sentence cannot come here${word === '' ? '' : `, from “${word}” on`}.`,
  end: () => 'the tale ends too early or too late.',
  undecided: () => 'the search was stopped.',
};
