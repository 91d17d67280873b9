// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storyExample } from '../../../core/format.ts';
import type { EncodingSummary } from '../../../engine/matrix/matrix-types.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import type { Side } from '../use-sides.ts';
import { MatrixFit } from './MatrixFit.tsx';

afterEach(cleanup);

const plain = fakeApp();
const [example] = plain.catalog.examples;
const examples = plain.formats.map(({ bestExample: { id } }) => ({ ...example, id }));
const app = { ...plain, catalog: { ...plain.catalog, examples } };

/** A format of which this much is known. */
function sideOf(id: string, summary: Partial<EncodingSummary>): Side {
  const format = app.formats.find((one) => one.id === id);
  if (!format) throw new Error(`found no format '${id}'`);
  const encoded: EncodingSummary = {
    generation: 0,
    format: id,
    params: {},
    admission: { ok: true, notes: [] },
    ledger: null,
    reason: null,
    wholeFacts: [],
    facts: [],
    violations: [],
    validated: 'full',
    encodeMs: 0,
    bounds: null,
    digest: {},
    ...summary,
  };
  const stored = { format: id, params: {} };
  return {
    side: 'a',
    format,
    stored,
    name: format.title,
    encoding: { kind: 'ready', ...stored, summary: encoded },
    story: { kind: 'loading', before: null },
  };
}

const buttons = (): readonly string[] => screen.queryAllByRole('button').map(({ textContent }) => textContent ?? '');

it('says in one place why a format cannot store the matrix, and leads to one that it can', () => {
  const prune = vi.spyOn(app.session, 'prune').mockResolvedValue();
  const openExample = vi.spyOn(app.session, 'openExample').mockResolvedValue();
  const admission = {
    ok: false,
    reason: 'row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows',
    remedy: 'Prune to 6:8.',
    prune: { kept: 6, group: 8 },
  } as const;
  const of = sideOf('slidesparse', { admission });
  renderInApp(<MatrixFit side={of} />, app);
  const panel = screen.getByRole('region', { name: 'SlideSparse cannot store this matrix' });
  expect(panel.querySelector('p')?.textContent?.trim()).toBe(
    'SlideSparse cannot store this matrix. Row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Prune the matrix to 6:8' }));
  expect(prune).toHaveBeenCalledExactlyOnceWith({ way: 'n-of-m', kept: 6, group: 8 });
  fireEvent.click(screen.getByRole('button', { name: `Show SlideSparse on ${of.format.bestExample.what}` }));
  expect(openExample).toHaveBeenCalledExactlyOnceWith(of.format.bestExample.id);
});

it('says on a phone that a format cannot store the matrix, and unfolds why and the ways on', () => {
  const admission = { ok: false, reason: 'row 1 has 7 non-zeros', remedy: 'Choose another.' } as const;
  renderInApp(<MatrixFit side={sideOf('slidesparse', { admission })} isBrief />, app);
  const panel = screen.getByRole('region', { name: 'SlideSparse cannot store this matrix' });
  const details = panel.querySelector('details');
  expect(details?.open).toBe(false);
  expect(details?.querySelector('summary')?.textContent).toBe('SlideSparse cannot store this matrix. Why?');
  expect(details?.querySelector('p')?.textContent?.trim()).toBe('Row 1 has 7 non-zeros. Choose another.');
  expect(details?.querySelectorAll('button')).toHaveLength(1);
});

it('says the remedy where there is nothing to press for it', () => {
  const admission = { ok: false, reason: 'Too large.', remedy: 'Choose a part.' } as const;
  renderInApp(<MatrixFit side={sideOf('twell', { admission })} />, app);
  expect(screen.getByRole('region').textContent).toContain('Too large. Choose a part.');
  expect(buttons()).toEqual(['Show TwELL on sparse activations']);
});

it('of a matrix that shows little leads to one that shows more, and says nothing of any other', () => {
  renderInApp(
    <MatrixFit side={sideOf('ec-csr', { facts: [{ label: 'blocks', value: 'none', isAbsence: true }] })} />,
    app,
  );
  expect([buttons(), screen.queryAllByRole('region')]).toEqual([['Show EC-SpMV on rows that share columns'], []]);
  cleanup();
  renderInApp(<MatrixFit side={sideOf('ec-csr', {})} />, app);
  expect(buttons()).toEqual([]);
});

it('leads nowhere from the matrix that the story is written for', () => {
  const side = sideOf('ec-csr', { facts: [{ label: 'blocks', value: 'none', isAbsence: true }] });
  const doc = app.document.getState();
  app.document.setState({ ...doc, source: { kind: 'example', id: storyExample(side.format).id } });
  renderInApp(<MatrixFit side={side} />, app);
  expect(buttons()).toEqual([]);
  app.document.setState(doc);
});

it('says which values of the matrix become infinite or 0, or of the cells that a person set', () => {
  const note = { says: '1234 of 5000 values are too large for f16 and are stored as infinity', details: 'more' };
  const side = sideOf('macko', { admission: { ok: true, notes: [note] } });
  renderInApp(<MatrixFit side={side} />, app);
  // Narrow spaces between groups of digits are matched as plain ones.
  const sentence = 'MACKO: 1 234 of 5 000 values are too large for f16 and are stored as infinity.';
  expect(screen.getByText(sentence).tagName).toBe('P');
  cleanup();
  const doc = app.document.getState();
  app.document.setState({ ...doc, edited: '1' });
  const loaded = { kind: 'ready', notes: [{ ...note, says: '1 of 2 values is' }] } as unknown as Side['story'];
  renderInApp(<MatrixFit side={{ ...side, story: loaded }} />, app);
  expect([screen.queryByText(sentence), screen.getByText('MACKO: 1 of 2 values is.').tagName]).toEqual([null, 'P']);
  app.document.setState(doc);
});
