import { describe, expect, it } from 'vitest';
import readme from '../../README.md?raw';
import { formats } from '../formats/catalog.ts';
import { published as csr } from '../formats/csr/published.ts';
import { published } from '../formats/macko/published.ts';
import slideSparse from '../papers/slidesparse/tables.json';
import prefill from '../papers/whole-prefill.json';
import twell from '../papers/twell/tables.json';
import { lessons } from './index.ts';

const lesson = lessons.find(({ id }) => id === 'whom-to-compare-with');
const text = (lesson?.blocks ?? [])
  .flatMap((block) => (block.kind === 'paragraph' ? block.inline : []))
  .map((piece) => (piece.kind === 'number' ? `{${piece.expression}}` : 'text' in piece ? piece.text : '…'))
  .join('');

/** Checks the numbers that the lesson writes itself against their sources. */
describe('the lesson on baselines', () => {
  it('the lesson on baselines has the medians at 30 % zeros above dense on every card, as published', () => {
    const macko = published.filter(({ title }) => title === 'MACKO');
    expect(macko).toHaveLength(3);
    for (const { points } of macko) expect(points.find(({ density }) => density === 0.7)?.value).toBeGreaterThan(1);
    const half = [...published, ...csr].filter(({ device: on }) => on === 'RTX 4090');
    const speeds = half.map(({ points }) => points.find(({ density }) => density === 0.5)?.value);
    expect(speeds).toEqual([1.33, 0.67, 0.59, 0.47]);
    expect(text).toContain(
      'MACKO is {1.33 : 2} times as fast as dense, Sputnik {0.67 : 2}, DASP {0.59 : 2} and cuSPARSE {0.47 : 2}.',
    );
    expect(text).toContain('At {30} % zeros, the median beats dense on all three cards.');
  });

  it('describes TwELL like its table and the front page', () => {
    const gains = twell.tables.scales.rows
      .filter(({ l1 }) => l1 > 0)
      .map(({ forwardChange }) => 1 + forwardChange / 100);
    // bounded: four models
    expect([Math.min(...gains).toFixed(2), Math.max(...gains).toFixed(2)]).toEqual(['1.17', '1.21']);
    expect(text).toContain('print {1.17 : 2} to {1.21 : 2} for whole models. We measured {2.84 : 2} for one block');
    const [dense, ours] = prefill.rows;
    expect(ours.format).toBe('twell');
    expect(text).toContain(`without them, and {${(dense.ms / ours.ms).toFixed(2)} : 2} for all of a model.`);
    expect(readme).toContain('TwELL’s 2.84 is relative to our dense bf16 block, without tensor cores');
  });

  it('describes SlideSparse like its table: more than twice, where dense is slow', () => {
    const { rows, rival } = slideSparse.tables.kernels;
    const row = rows.find(
      ({ gpu, precision, pattern, model }) => [gpu, precision, pattern, model].join() === 'B200,INT8,2:4,models',
    );
    expect([row?.min, row?.max]).toEqual([6.25, 6.38]);
    expect(rival).toContain('whose INT8 is slow on B200 by the paper’s own words');
    expect(text).toContain(
      'On one card, the SlideSparse paper prints {6.25 : 2} to {6.38 : 2}: dense in eight bits is slow there.',
    );
  });

  it('names ELL, and no other, as the format with a kernel that is only simple', () => {
    const named = formats.filter(({ title }) => text.includes(title));
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter(({ kernels }) => kernels.some(({ isSimple }) => isSimple)).map(({ title }) => title)).toEqual([
      'ELL',
    ]);
    expect(text).toContain('ELL has only a simple kernel');
  });
});
