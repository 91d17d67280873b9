import { describe, expect, it } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import { CATALOG } from '../../../test/fake-engine.ts';
import { formats } from '../../formats/catalog.ts';
import { defaultDocument } from '../../state/index.ts';
import { KNOWN_MODELS } from '../../theory/models/known-models.ts';
import { PUBLISHED_DEVICES } from '../../theory/roofline/devices.ts';
import { commandOfChoices, selectionChoices, selectionFinder } from './selection-choices.ts';

const devices = PUBLISHED_DEVICES.map(({ id, name }) => ({ id, label: name, kind: 'published' as const }));
const find = selectionFinder(selectionChoices(KNOWN_MODELS, formats, devices));
const titles = (query: string): readonly string[] =>
  find(query).map((chosen) => commandOfChoices(fakeApp(), chosen).title);
const doc = defaultDocument({ ...CATALOG, formats });
/** The document after the first result of a query is chosen. */
const documentAfter = (query: string, before = doc) =>
  find(query)[0]?.reduce((changed, choice) => choice.set(changed), before);

describe('selectionFinder(choices)', () => {
  it('finds a model, a format and a device at once', () => {
    const [first] = titles('llama 4090 i4');
    expect(first).toMatch(/^Llama-.* in dense i4 on GeForce RTX 4090$/);
    for (const title of titles('llama 4090 i4')) expect(title).toMatch(/^Llama.*i4.*4090/);
  });
  it('accepts words in any order, other words for a choice, and a missing space', () => {
    const wanted = ['dense', 'bitmask', 'MACKO'].map((format) => `Llama-3.1-8B in ${format} i4 on GeForce RTX 3090`);
    expect([titles('i4 3090 llama-3.1-8b'), titles('int4 rtx3090 llama-3.1-8b')]).toEqual([wanted, wanted]);
  });
  it('accepts mistyped letters, but no mistyped digits', () => {
    expect(titles('mistrl 4090')).toEqual(['Mistral-7B-v0.1 on GeForce RTX 4090', 'Mixtral-8x7B on GeForce RTX 4090']);
    expect(titles('mistral 4080')).toEqual([]);
  });
  it('finds nothing for a single choice, for a query with an unknown word, and for an empty query', () => {
    expect([titles('macko i8'), titles('llama 4090 xyzzy'), titles('  ')]).toEqual([[], [], []]);
  });
  it('lists at most eight results', () => expect(titles('f16 nvidia')).toHaveLength(8));

  it('sets model, format, parameters and device in one change', () => {
    expect(documentAfter('llama-3.1-8b 4090 macko i8')).toMatchObject({
      source: {
        kind: 'pruned',
        base: { kind: 'model', model: 'llama-3.1-8b' },
        pruning: { way: 'magnitude', density: 0.5 },
      },
      window: null,
      format: 'macko',
      params: { macko: { valueType: 'i8', deltaBits: 4 } },
      deviceChoice: 'rtx-4090',
    });
  });
  it('keeps the pruning of the document', () => {
    const pruning = { way: 'n-of-m', kept: 2, group: 4 } as const;
    const pruned = { ...doc, source: { kind: 'pruned', base: { kind: 'example', id: 'diagonal' }, pruning } as const };
    expect(documentAfter('llama-3.1-8b 4090', pruned)?.source).toMatchObject({ pruning });
  });
});
