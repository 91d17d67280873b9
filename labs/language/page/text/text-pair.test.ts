// Texts and line breaks of the tab Text: the headline, costly tokens, and how tokens are shown.

import { describe, expect, it } from 'vitest';
import { plainText } from '../../../../test/text-rules.ts';
import type { Verdict } from '../../tales/judge.ts';
import type { ReadToken, WritingResult } from '../service/types.ts';
import { headline, unfinishedText, writingText } from './headline.ts';
import { brokenTokens, excerptRange, isBrokenInBoth, NO_TEXT, type TextPair } from './text-pair.ts';
import { costliest, nextCostly, tintOf } from './lost-bits.ts';
import { tokenText, wordsBefore, multipliedText } from './text-words.ts';
import { drawnTokens, visibleToken, wordAt, wrapTokens } from './wrap.ts';

const token = (text: string, lost = 0, prunedToken: string | null = null): ReadToken => ({
  text,
  lost,
  prunedToken,
  likely: [],
});

const DENSE = [' hed', 'geh', 'og', ' slept', '.'];
const FREE = ['op', ' wind', '.'];

function brokenVerdict(law: 'spelling' | 'name', offset: number, found: string): Verdict {
  const range = { start: 0, end: 20 };
  return { broken: { law, offset, sentence: 0, range, found, wanted: ['bee', 'cow'] }, sentences: 2 };
}

/** The dense text as the pruned model reads it, and the pruned model's own text with its first difference and verdict. */
function textPair(free: Verdict, readTokens: readonly ReadToken[], firstDifference = 2): TextPair {
  const outcome: WritingResult = {
    ended: true,
    freeEnded: true,
    verdicts: { dense: { broken: null, sentences: 1 }, free },
    bytes: 15,
    denseBits: 1,
    prunedBits: 2,
    rates: { dense: null, pruned: null },
    where: 'cpu',
    notOnGpu: null,
    multiplied: null,
  };
  return { ...NO_TEXT, prompt: ['A'], dense: DENSE, readTokens, free: { firstDifference, tokens: FREE }, outcome };
}

/** The dense text as the pruned model read it: it loses 8 bits at 'og', where it would write 'op'. */
const READ = DENSE.map((piece) => token(piece, piece === 'og' ? 8 : 0, piece === 'og' ? 'op' : null));

const headlineText = (pair: TextPair): string =>
  plainText(headline({ density: 0.5, text: pair, pruned: null, dense: null }) ?? []);

/** The headlines of recorded texts are in words/headlines.txt. */
describe('the headline', () => {
  it('quotes a word that does not exist', () => {
    const misspelled = {
      ...textPair(brokenVerdict('spelling', 2, 'hedgehop'), READ),
      free: { firstDifference: 2, tokens: FREE },
    };
    expect(headlineText(misspelled)).toBe(
      'With half of its weights, it writes words that do not exist, such as “hedgehop”.',
    );
  });

  it('names the word with the largest loss if both texts break a law', () => {
    const wrongName = brokenVerdict('name', 2, 'hedgehog');
    const { outcome, ...pairWithoutOutcome } = textPair(wrongName, READ, 4);
    const withVerdicts = {
      ...pairWithoutOutcome,
      outcome: outcome && { ...outcome, verdicts: { dense: wrongName, free: wrongName } },
    };
    expect([isBrokenInBoth(withVerdicts), isBrokenInBoth({ ...pairWithoutOutcome, outcome })]).toEqual([true, false]);
    expect(headlineText(withVerdicts)).toMatch(/loses most at hedgehog: 8\.0 bits/);
  });

  it('names the word from which the pruned model writes another text, if that breaks no law', () => {
    const correctVerdict = { broken: null, sentences: 1 };
    expect(headlineText(textPair(correctVerdict, READ))).toBe(
      'With half of its weights, it writes another tale from “hedgehop” on, without an error.',
    );
    const identicalTexts = {
      ...textPair(
        correctVerdict,
        DENSE.map((piece) => token(piece)),
      ),
      free: { firstDifference: DENSE.length, tokens: [] },
    };
    expect(headlineText(identicalTexts)).toBe('With half of its weights, it shows no loss in this tale.');
  });

  it('is a whole sentence if the error has no word', () => {
    for (const word of ['', ' '])
      expect(headlineText(textPair(brokenVerdict('spelling', 2, word), READ))).toBe(
        'With half of its weights, it writes words that do not exist.',
      );
  });

  it('says why there is no text, and that a model without a network is not loaded', () => {
    const offline = 'tales/model.safetensors: the network did not answer.';
    expect(unfinishedText('Tales', false, offline)).toBe('Tales is not loaded: it needs a network');
    expect(unfinishedText('Tales', false, 'Stopped.')).toBe('Tales has written nothing yet');
    expect(unfinishedText('Tales', true, 'Stopped.')).toBe('Tales has not finished its text');
  });

  it('names the requested density while the text is written', () => {
    expect(writingText(0.22, null, 'Tales 3.4M')).toBe('With 22\u202f% of its weights, Tales 3.4M is writing');
    expect(writingText(1, null, 'Tales 3.4M')).toBe('Tales 3.4M is writing');
    expect(writingText(1, 'in 4 bits', 'Tales 3.4M')).toBe('With every matrix in 4 bits, Tales 3.4M is writing');
  });
});

describe('tokens per second', () => {
  it('have no note on formats if all matrices are dense by choice, or unknown', () => {
    expect(multipliedText({ inFormat: 0, rejection: null }, 'Dense', 42)).toBeNull();
    expect(multipliedText(null, 'MACKO', 42)).toBeNull();
  });
});

describe('the first broken law', () => {
  it('is underlined in the free text, from its first token to the end of the word', () => {
    expect(brokenTokens(textPair(brokenVerdict('spelling', 2, 'hedgehop'), READ))).toEqual({ from: 0, to: 3 });
  });
});

describe('tokens', () => {
  it('with the largest losses are found, in order, and tinted by their loss', () => {
    const readTokens = [token('a', 0.2), token('b', 3), token('c', 1), token('d', 2)];
    expect([costliest(readTokens), costliest([])]).toEqual([1, -1]);
    expect([nextCostly(readTokens, 1, 1), nextCostly(readTokens, 1, -1), nextCostly(readTokens, 3, 1)]).toEqual([
      3, 1, 3,
    ]);
    expect([0.4, 0.5, 1.9, 9, -3].map(tintOf)).toEqual([0, 1, 2, 5, 0]);
  });

  it('are read out with the bits lost and the token that would be written instead', () => {
    expect(tokenText(token('g', 8, ' p'))).toBe('g, 8.0 bits lost, would write p');
    expect([tokenText(token(' ', -0.3)), tokenText(token(' cow', 0.01))]).toEqual(['space, 0.3 bits gained', 'cow']);
    expect(tokenText(token('\n\n', 0, ' '))).toBe('new line, would write space');
  });

  it('are quoted with the words before them in the same sentence', () => {
    expect(wordsBefore([' ice house.', ' Luis', ' found'])).toBe('Luis found');
    expect([wordsBefore(['A', ' hedgeho']), wordsBefore([])]).toEqual(['A hedgeho', '']);
  });

  it('break into lines only before words', () => {
    const tokens = ['On', 'ce', ' up', 'on', ' a', ' time'];
    const lines = wrapTokens(tokens, 6, (piece) => piece.length);
    expect(lines.map(({ from, to }) => tokens.slice(from, to).join(''))).toEqual(['Once', ' upon a', ' time']);
    expect(wrapTokens([], 6, (piece) => piece.length)).toEqual([]);
    expect(wrapTokens(['longer'], 2, (piece) => piece.length)).toEqual([{ from: 0, to: 1 }]);
    const longWord = wrapTokens(['a', ' without', 'any', 'space', ' b'], 8, (piece) => piece.length);
    expect(longWord).toEqual([0, 1, 2, 4].map((from, i) => ({ from, to: [1, 2, 4, 5][i] })));
    const poem = drawnTokens(['One', '.\n', 'Two', '\r\n\n', '\u0007', ' three']);
    expect(poem).toEqual(['One', '.\u21B5', 'Two', '\u21B5\u21B5', '\u00B7', ' three']);
    expect(wrapTokens(poem, 60, (piece) => piece.length).map(({ from, to }) => poem.slice(from, to).join(''))).toEqual([
      'One.\u21B5',
      'Two\u21B5\u21B5',
      '\u00B7 three',
    ]);
    expect([' ', '\n', ' cat'].map(visibleToken)).toEqual(['\u2423', '\u21B5', 'cat']);
    expect(wordAt([' "', 'Wh', 'ose', ' box'], 2)).toBe('Whose');
  });
});

describe('excerptRange', () => {
  /** Tokens of sentences of five tokens. */
  const sentences = Array.from({ length: 200 }, (_, i) => (i % 5 === 4 ? '.' : ' word'));
  const withoutEnd = Array.from({ length: 200 }, () => ' word');

  it('begins with the sentence of the first difference, or eight tokens before it', () => {
    expect(excerptRange(sentences, 53, null).from).toBe(50);
    expect(excerptRange(withoutEnd, 53, null).from).toBe(45);
  });

  it('ends with a sentence, at least twelve tokens after the first difference and four after the error', () => {
    expect(excerptRange(sentences, 53, null).to).toBe(65);
    expect(excerptRange(sentences, 53, { to: 64 }).to).toBe(70);
  });

  it('ends 60 tokens after the first difference if no sentence ends, or after a later error', () => {
    expect(excerptRange(withoutEnd, 50, null).to).toBe(110);
    expect(excerptRange(withoutEnd, 50, { to: 130 }).to).toBe(131);
    expect(excerptRange(withoutEnd, 190, null).to).toBe(200);
  });
});
