import type { Words } from '../../../../src/core/text/words.ts';
import { say, strong } from '../../../../src/core/text/words.ts';
import type { Law, Verdict } from '../../tales/judge.ts';
import { leftText } from '../../../../src/kit/words/shares.ts';
import type { MeasuredFigures } from '../use-measured-pruning.ts';
import { brokenTokens, freeTokens, isBrokenInBoth, type TextPair } from './text-pair.ts';
import { costliest } from './lost-bits.ts';
import { wordAt } from './wrap.ts';

/** The facts that the headline of the tab Text states. */
export interface HeadlineFacts {
  /** share of weights left; 1 for an unpruned model */
  readonly density: number;
  /** pruning, value type and format chosen for single matrices, in words; null: none, 'mixed': not all the same */
  readonly own?: string | null;
  readonly text: TextPair;
  /** whether the model writes tales (short stories by rules that can be checked); default: it does */
  readonly areTales?: boolean;
  /** figures on many tales at this density, and unpruned (`dense`); null if unknown */
  readonly pruned: MeasuredFigures | null;
  readonly dense: MeasuredFigures | null;
}

/** What a model has forgotten, by its first error (a `Law` of tales/judge.ts); follows 'it no longer knows'. */
const FORGOTTEN: Readonly<Record<Exclude<Law, 'undecided'>, string>> = {
  spelling: 'how to spell',
  grammar: 'how a sentence goes',
  owner: 'whose things are',
  name: 'who is who',
  pronoun: 'he from she',
  color: 'what color things have',
  number: 'how many there are',
  riddle: 'the answer to a riddle',
  place: 'where things are',
  tool: 'what it was done with',
  thing: 'what it was',
  order: 'how a tale goes on',
  end: 'how a tale ends',
};

/** A loss in bits below which nothing is visible in the text. */
const VISIBLE_BITS = 0.5;

/**
 * The effect of the pruning on this text, then on many tales: the first error in the pruned model's own text, else the
 * token that lost most bits, else that nothing is visible. Null until both texts are complete.
 */
export function headline(facts: HeadlineFacts): readonly Words[] | null {
  const { density, own = null, text, areTales = true, pruned, dense } = facts;
  const { outcome, read } = text;
  if (outcome === null) return null;
  if (density >= 1 && own === null)
    return say`Nothing is pruned${unbrokenWords(pruned ?? dense)}. Prune, and see what it forgets.`;
  const lead = leadText(density, own);
  const figures = figuresText(pruned, dense);
  const broken = outcome.verdicts?.free.broken ?? null;
  if (broken !== null && broken.law !== 'undecided' && !isBrokenInBoth(text)) {
    const known = keptFact(text);
    const forgotten = forgottenWords(text, broken.law);
    return known === null
      ? [...say`${lead} it no longer knows `, ...forgotten, ...say`${figures}.`]
      : [...say`${lead} it still knows ${strong(known)}, but no longer `, ...forgotten, ...say`${figures}.`];
  }
  const at = costliest(read);
  if (at >= 0 && read[at].lost >= VISIBLE_BITS) {
    const word = wordAt([...text.prompt, ...read.map((token) => token.text)], text.prompt.length + at) || read[at].text;
    return say`${lead} this text costs most at ${strong(word)}: ${read[at].lost.toFixed(1)} bits${figures === '' ? '' : figures.replace(/^: /, '. Over many tales ')}.`;
  }
  const thing = areTales ? 'tale' : 'text';
  return say`${lead} it has forgotten ${strong(`nothing this ${thing} shows`)}${figures}.`;
}

/** The sentence before the text exists: the pruning of the model that writes it. */
export function writingText(density: number, own: string | null, name: string): string {
  return density >= 1 && own === null ? `${name} is writing` : `${leadText(density, own)} ${name} is writing`;
}

/** The pruning and storage of the model, as the beginning of a sentence. */
function leadText(density: number, own: string | null): string {
  const left = density === 0.5 ? 'half' : leftText(density);
  if (own === null) return `At ${left} of its weights`;
  return own === 'mixed' ? `With mixed choices and ${left} of its weights` : `With every matrix ${own},`;
}

function unbrokenWords(measured: MeasuredFigures | null): string {
  return measured?.unbroken == null ? '' : `: ${freeOfErrors(measured.unbroken, measured.judged)}`;
}

function freeOfErrors(unbroken: number, judged: number | null): string {
  const count = unbroken === 0 ? 'none' : String(unbroken);
  return `${count} of ${judged} tales ${unbroken < 2 ? 'is' : 'are'} free of errors`;
}

/**
 * ': 55 of 100 tales are free of errors (unpruned: 88)'; bits per byte for a model that does not write tales, or if the
 * two were judged on different numbers of tales.
 */
function figuresText(pruned: MeasuredFigures | null, dense: MeasuredFigures | null): string {
  if (pruned === null || dense === null) return '';
  if (pruned.unbroken === null || dense.unbroken === null || pruned.judged !== dense.judged)
    return `: ${pruned.bitsPerByte.toFixed(3)} bits per byte (unpruned: ${dense.bitsPerByte.toFixed(3)})`;
  return `: ${freeOfErrors(pruned.unbroken, pruned.judged)} (unpruned: ${dense.unbroken})`;
}

/** What the model has forgotten, in words; a word that it can no longer spell is quoted. */
function forgottenWords(text: TextPair, law: Exclude<Law, 'undecided'>): readonly Words[] {
  if (law !== 'spelling') return [strong(FORGOTTEN[law])];
  const intended = intendedWord(text);
  return intended === null ? [strong('how to spell')] : say`how to spell ${strong(intended)}`;
}

/**
 * The word of the dense model's text that the pruned model misspells in its own text (`free`); null if the two texts
 * already differ before that word.
 */
function intendedWord(text: TextPair): string | null {
  const broken = brokenTokens(text);
  if (broken === null || text.free === null) return null;
  const { fork } = text.free;
  const tokens = [...freeTokens(text)];
  // The texts part (`fork`) in that word, or right after the word if the dense text continues it.
  let end = broken.from + 1;
  while (end < tokens.length && !/^\s/.test(tokens[end])) end++;
  const continuesWord = fork === end && /^[a-z]/.test(text.dense[fork] ?? '');
  if (fork < broken.from || (fork >= end && !continuesWord) || fork >= text.dense.length) return null;
  return wordAt([...text.prompt, ...text.dense], text.prompt.length + fork) || null;
}

/** A question on an owner whose answer the pruned model still predicts: 'whose box is green'; null if none. */
function keptFact({ prompt, dense, read }: TextPair): string | null {
  const start = prompt.join('').length;
  const fullText = prompt.join('') + dense.join('');
  for (const match of fullText.matchAll(
    /"Whose ([a-z' -]+?) (is|was|are|were) ([a-z]+)\?"[^"]*"([A-Z][a-z]+)('s)?[.,!]"?/g,
  )) {
    const from = match.index + match[0].lastIndexOf(`"${match[4]}`);
    const to = from + match[4].length + 1;
    if (from < start) continue;
    let at = start;
    let lost = 0;
    for (const token of read) {
      if (at + token.text.length > from && at < to) lost += Math.max(0, token.lost);
      at += token.text.length;
    }
    if (at >= to && lost < VISIBLE_BITS) return `whose ${match[1]} ${match[2]} ${match[3]}`;
  }
  return null;
}

/** The first error in words: its kind, then where and why. Null without one. `inBoth`: the dense text has it, too. */
export function brokenWords(
  verdict: Verdict | null,
  inBoth: boolean,
): { readonly law: string; readonly about: string } | null {
  const broken = verdict?.broken ?? null;
  if (broken === null) return null;
  const { law, sentence, found, wanted } = broken;
  const position = `sentence ${sentence + 1} of ${verdict?.sentences ?? 1}`;
  const list = wanted.length > 1 ? `${wanted.slice(0, -1).join(', ')} or ${wanted[wanted.length - 1]}` : wanted[0];
  const expectation = list === undefined ? '' : ` It wanted ${list}.`;
  return {
    law: law.replace(/^./, (letter) => letter.toUpperCase()),
    about: `${inBoth ? ', in both texts' : ''}, ${position}: ${LAW_TEXTS[law](found)}${expectation}`,
  };
}

/** Why the word `found` is an error, by the kind of error, as the end of a sentence. */
const LAW_TEXTS: Readonly<Record<Law, (found: string) => string>> = {
  spelling: (found) => `the language has no word “${found}”.`,
  grammar: (found) => `no tale has such a sentence${found === '' ? '' : `, from “${found}” on`}.`,
  owner: (found) => `“${found}” belongs to another.`,
  name: (found) => `“${found}” was another.`,
  pronoun: (found) => `“${found}” is unclear here, or wrong.`,
  color: (found) => `“${found}” has another color.`,
  number: (found) => `“${found}” is not the number.`,
  riddle: (found) => `“${found}” does not solve the riddle.`,
  place: (found) => `“${found}” is not the place.`,
  tool: (found) => `“${found}” was not the tool.`,
  thing: (found) => `“${found}” was another thing.`,
  order: (found) => `the sentence cannot come here${found === '' ? '' : `, from “${found}” on`}.`,
  end: () => 'the tale ends too early or too late.',
  undecided: () => 'the search was cut.',
};
