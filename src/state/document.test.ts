import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../test/fake-engine.ts';
import {
  withChoicesSince,
  withFormat,
  withFrame,
  type AppDocument,
  defaultDocument,
  defaultChoice,
  MAX_TOKENS,
  equalChoices,
  type FormatChoice,
  choiceA,
  withFormatB,
  withKnownParts,
  withBothShown,
  withStep,
  withChoiceA,
  withSwapped,
  withTokens,
} from './document.ts';
import { decodeHash, encodeHash } from './url.ts';

const FIRST: AppDocument = { ...defaultDocument(CATALOG), window: { row: 0, col: 0, rows: 4, cols: 4 } };
const AT_3 = withStep(FIRST, 3);
const MACKO_2: FormatChoice = { format: 'macko', params: { repeat: 2 } };

describe('changes of formats A and B in a document', () => {
  it('withSwapped exchanges the formats with their parameters, and restarts the animation', () => {
    const doc = withSwapped({ ...AT_3, formatB: { format: 'csr', params: { repeat: 3 } } });
    expect([choiceA(doc), doc.formatB, doc.step]).toEqual([
      { format: 'csr', params: { repeat: 3 } },
      defaultChoice(CATALOG, 'macko'),
      0,
    ]);
    const back = withSwapped(doc);
    expect([choiceA(back), back.formatB]).toEqual([defaultChoice(CATALOG, 'macko'), doc.formatB && choiceA(doc)]);
  });

  it('withSwapped exchanges the parameters if A and B are the same format', () => {
    const doc = withSwapped({ ...FIRST, formatB: MACKO_2 });
    expect([choiceA(doc), doc.formatB]).toEqual([MACKO_2, defaultChoice(CATALOG, 'macko')]);
  });

  it('withSwapped returns the document itself if there is no B', () => {
    const alone = withFormatB(AT_3, null);
    expect(withSwapped(alone)).toBe(alone);
  });

  it('a change that sets the current value returns the same document object', () => {
    expect(withFormatB(AT_3, structuredClone(AT_3.formatB))).toBe(AT_3);
    expect(withChoiceA(AT_3, structuredClone(choiceA(AT_3)))).toBe(AT_3);
    expect(withTokens(AT_3, AT_3.tokens)).toBe(AT_3);
    expect([equalChoices(null, null), equalChoices(MACKO_2, null)]).toEqual([true, false]);
  });

  it('a change of a format that the animation shows restarts it, a change of the tokens does not', () => {
    const next = withStep(withBothShown(AT_3, true), 3);
    expect(withFormatB(next, MACKO_2)).toMatchObject({ isSideBySide: true, frame: null, step: 0 });
    expect(withFormatB(next, null)).toMatchObject({ isSideBySide: false, frame: null, step: 0 });
    expect(withFormatB(AT_3, MACKO_2).step).toBe(3);
    expect(withBothShown(withFrame(FIRST, 4), true)).toMatchObject({ isSideBySide: true, frame: 1, step: 0 });
    expect([withChoiceA(AT_3, MACKO_2).step, withTokens(AT_3, MAX_TOKENS).step]).toEqual([0, 3]);
  });
});

it('withChoicesSince applies changes of B and of the tokens that were made after a document was requested', () => {
  const requested: AppDocument = { ...FIRST, source: { kind: 'example', id: 'wide' } };
  const now = withTokens(withFormatB(FIRST, MACKO_2), 8);
  expect(withChoicesSince(requested, FIRST, now)).toEqual({ ...requested, formatB: MACKO_2, tokens: 8 });
  // Chosen before the request: the requested value counts.
  expect(withChoicesSince({ ...requested, formatB: null }, now, now).formatB).toBeNull();
});

it('withKnownParts replaces parts of a document by equal objects of the document before', () => {
  const before = withFormat({ ...FIRST, formatB: MACKO_2 }, 'csr');
  const read = decodeHash(encodeHash(before, CATALOG), CATALOG).document;
  expect(read.formatB).not.toBe(before.formatB);
  const merged = withKnownParts(read, before, CATALOG);
  expect(merged.formatB).toBe(before.formatB);
  expect(merged.params.csr).toBe(before.params.csr);
  expect(withKnownParts({ ...read, formatB: null }, before, CATALOG).formatB).toBeNull();
});
