import { describe, expect, it } from 'vitest';
import { formats } from '../../formats/catalog.ts';
import { KNOWN_MODELS } from '../../theory/models/model-shape.ts';
import { PUBLISHED_DEVICES } from '../../theory/roofline/devices.ts';
import { defaultDocument } from '../../state/index.ts';
import { CATALOG } from '../../../test/fake-engine.ts';
import { findSubjects, subjectChoices } from './Palette.tsx';

const devices = PUBLISHED_DEVICES.map(({ id, name }) => ({ id, label: name }));
const choices = subjectChoices(KNOWN_MODELS, formats, devices);
const titles = (query: string): readonly string[] => findSubjects(choices, query).map(({ title }) => title);
const doc = defaultDocument({ ...CATALOG, formats });

describe('findSubjects(choices, query)', () => {
  it('finds a model, a format and a device at once', () => {
    const [first] = titles('llama 4090 i4');
    expect(first).toMatch(/^Llama-.* in dense i4 on GeForce RTX 4090$/);
    for (const title of titles('llama 4090 i4')) expect(title).toMatch(/^Llama.*i4.*4090/);
  });
  it('finds each alone', () => {
    expect(titles('macko i8')).toEqual(['In MACKO i8']);
    expect(titles('4090')).toEqual(['On GeForce RTX 4090']);
    expect(titles('llama-3.1-8b')).toEqual(['Llama-3.1-8B']);
  });
  it('takes words in any order', () => {
    expect(titles('i4 3090 llama-3.1-8b')).toEqual(['Llama-3.1-8B in dense i4 on GeForce RTX 3090']);
  });
  it('finds nothing where a word is about nothing, and nothing for nothing', () => {
    expect(titles('llama 4090 xyzzy')).toEqual([]);
    expect(titles('  ')).toEqual([]);
  });
  it('lists at most eight', () => expect(titles('f16').length).toBeLessThanOrEqual(8));

  it('sets all words in one change', () => {
    const [found] = findSubjects(choices, 'llama-3.1-8b 4090 macko i8');
    expect(found?.set(doc)).toMatchObject({
      source: {
        kind: 'pruned',
        base: { kind: 'model', model: 'llama-3.1-8b' },
        pruning: { way: 'magnitude', density: 0.5 },
      },
      window: null,
      format: 'macko',
      params: { macko: { valueType: 'i8', deltaBits: 4 } },
      on: 'rtx-4090',
    });
  });
  it('keeps how it is pruned', () => {
    const pruning = { way: 'n-of-m', kept: 2, group: 4 } as const;
    const pruned = { ...doc, source: { kind: 'pruned', base: { kind: 'example', id: 'diagonal' }, pruning } as const };
    expect(findSubjects(choices, 'llama-3.1-8b')[0]?.set(pruned).source).toMatchObject({ pruning });
  });
});
