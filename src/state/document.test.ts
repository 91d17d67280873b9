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
  withAgainst,
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

describe('A and B', () => {
  it('are exchanged, each with its parameters, and the animation begins at the start', () => {
    const doc = withSwapped({ ...AT_3, against: { format: 'csr', params: { repeat: 3 } } });
    expect([choiceA(doc), doc.against, doc.step]).toEqual([
      { format: 'csr', params: { repeat: 3 } },
      defaultChoice(CATALOG, 'macko'),
      0,
    ]);
    const back = withSwapped(doc);
    expect([choiceA(back), back.against]).toEqual([defaultChoice(CATALOG, 'macko'), doc.against && choiceA(doc)]);
  });

  it('may be the same format with other parameters, and are exchanged all the same', () => {
    const doc = withSwapped({ ...FIRST, against: MACKO_2 });
    expect([choiceA(doc), doc.against]).toEqual([MACKO_2, defaultChoice(CATALOG, 'macko')]);
  });

  it('are not exchanged if there is no B', () => {
    const alone = withAgainst(AT_3, null);
    expect(withSwapped(alone)).toBe(alone);
  });

  it('keep the same document object if a change sets the value that is already set', () => {
    expect(withAgainst(AT_3, structuredClone(AT_3.against))).toBe(AT_3);
    expect(withChoiceA(AT_3, structuredClone(choiceA(AT_3)))).toBe(AT_3);
    expect(withTokens(AT_3, AT_3.tokens)).toBe(AT_3);
    expect([equalChoices(null, null), equalChoices(MACKO_2, null)]).toEqual([true, false]);
  });

  it('restart the animation when a format that it shows changes, but not when the tokens change', () => {
    const next = withStep(withBothShown(AT_3, true), 3);
    expect(withAgainst(next, MACKO_2)).toMatchObject({ beside: true, frame: null, step: 0 });
    expect(withAgainst(next, null)).toMatchObject({ beside: false, frame: null, step: 0 });
    expect(withAgainst(AT_3, MACKO_2).step).toBe(3);
    expect(withBothShown(withFrame(FIRST, 4), true)).toMatchObject({ beside: true, frame: 1, step: 0 });
    expect([withChoiceA(AT_3, MACKO_2).step, withTokens(AT_3, MAX_TOKENS).step]).toEqual([0, 3]);
  });
});

it('a document that was requested a while ago undoes no choice of B or of tokens', () => {
  const asked: AppDocument = { ...FIRST, source: { kind: 'example', id: 'wide' } };
  const now = withTokens(withAgainst(FIRST, MACKO_2), 8);
  expect(withChoicesSince(asked, FIRST, now)).toEqual({ ...asked, against: MACKO_2, tokens: 8 });
  // Chosen before the request: the requested value counts.
  expect(withChoicesSince({ ...asked, against: null }, now, now).against).toBeNull();
});

it('a document from an address reuses the objects of the one before where values are equal', () => {
  const before = withFormat({ ...FIRST, against: MACKO_2 }, 'csr');
  const read = decodeHash(encodeHash(before, CATALOG), CATALOG).document;
  expect(read.against).not.toBe(before.against);
  const known = withKnownParts(read, before, CATALOG);
  expect(known.against).toBe(before.against);
  expect(known.params.csr).toBe(before.params.csr);
  expect(withKnownParts({ ...read, against: null }, before, CATALOG).against).toBeNull();
});
