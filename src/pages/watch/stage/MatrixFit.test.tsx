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

/** Format A, encoded with these results. */
function sideOf(id: string, summary: Partial<EncodingSummary>): Side {
  const format = app.formats.find((format) => format.id === id);
  if (!format) throw new Error(`found no format '${id}'`);
  const encoded: EncodingSummary = {
    generation: 0,
    format: id,
    params: {},
    support: { ok: true, notes: [] },
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

it('shows once why a format cannot store the matrix, and links to one that it can store', () => {
  const prune = vi.spyOn(app.session, 'prune').mockResolvedValue();
  const openExample = vi.spyOn(app.session, 'openExample').mockResolvedValue();
  const support = {
    ok: false,
    reason: 'row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows',
    remedy: 'Prune to 6:8.',
    prune: { kept: 6, group: 8 },
  } as const;
  const side = sideOf('slidesparse', { support });
  renderInApp(<MatrixFit side={side} />, app);
  const panel = screen.getByRole('region', { name: 'SlideSparse cannot store this matrix' });
  expect(panel.querySelector('p')?.textContent?.trim()).toBe(
    'SlideSparse cannot store this matrix. Row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Prune the matrix to 6:8' }));
  expect(prune).toHaveBeenCalledExactlyOnceWith({ way: 'n-of-m', kept: 6, group: 8 });
  fireEvent.click(screen.getByRole('button', { name: `Show SlideSparse on ${side.format.bestExample.what}` }));
  expect(openExample).toHaveBeenCalledExactlyOnceWith(side.format.bestExample.id);
});

it('shows on a phone that a format cannot store the matrix, and opens the reason and the remedies', () => {
  const support = { ok: false, reason: 'row 1 has 7 non-zeros', remedy: 'Choose another.' } as const;
  renderInApp(<MatrixFit side={sideOf('slidesparse', { support })} isBrief />, app);
  const panel = screen.getByRole('region', { name: 'SlideSparse cannot store this matrix' });
  const details = panel.querySelector('details');
  expect(details?.open).toBe(false);
  expect(details?.querySelector('summary')?.textContent).toBe('SlideSparse cannot store this matrix. Why?');
  expect(details?.querySelector('p')?.textContent?.trim()).toBe('Row 1 has 7 non-zeros. Choose another.');
  expect(details?.querySelectorAll('button')).toHaveLength(1);
});

it('has a button for each choice that the remedy names, for the side that it is about', () => {
  const choices = [
    { title: 'compression 4', params: { compression: 4 } },
    { title: 'the hybrid format', format: 'hybrid' },
  ];
  const support = { ok: false, reason: 'Too full.', remedy: 'Choose one.', choices } as const;
  const setA = vi.spyOn(app.session, 'setChoiceA').mockReturnValue();
  const setB = vi.spyOn(app.session, 'setAgainst').mockReturnValue();
  const side = sideOf('twell', { support });
  renderInApp(<MatrixFit side={{ ...side, stored: { format: 'twell', params: { tileWidth: 16 } } }} />, app);
  // The buttons say what the remedy says.
  expect(screen.getByRole('region').textContent).not.toContain('Choose one.');
  fireEvent.click(screen.getByRole('button', { name: 'Choose compression 4' }));
  expect(setA).toHaveBeenCalledExactlyOnceWith({ format: 'twell', params: { tileWidth: 16, compression: 4 } });
  cleanup();
  renderInApp(<MatrixFit side={{ ...side, side: 'b' }} />, app);
  fireEvent.click(screen.getByRole('button', { name: 'Choose the hybrid format' }));
  expect(setB).toHaveBeenCalledExactlyOnceWith({ format: 'hybrid', params: {} });
});

it('shows the remedy as text if there is no button for it', () => {
  const support = { ok: false, reason: 'Too large.', remedy: 'Choose a part.' } as const;
  renderInApp(<MatrixFit side={sideOf('twell', { support })} />, app);
  expect(screen.getByRole('region').textContent).toContain('Too large. Choose a part.');
  expect(buttons()).toEqual(['Show TwELL on sparse activations']);
});

it('links from a matrix that shows little to one that shows more, and from no other', () => {
  renderInApp(
    <MatrixFit side={sideOf('ec-csr', { facts: [{ label: 'blocks', value: 'none', isAbsence: true }] })} />,
    app,
  );
  expect([buttons(), screen.queryAllByRole('region')]).toEqual([
    ['Show EC-SpMV on rows that share enough columns'],
    [],
  ]);
  cleanup();
  renderInApp(<MatrixFit side={sideOf('ec-csr', {})} />, app);
  expect(buttons()).toEqual([]);
});

it('has no link on the story’s own matrix', () => {
  const side = sideOf('ec-csr', { facts: [{ label: 'blocks', value: 'none', isAbsence: true }] });
  const doc = app.document.getState();
  app.document.setState({ ...doc, source: { kind: 'example', id: storyExample(side.format).id } });
  renderInApp(<MatrixFit side={side} />, app);
  expect(buttons()).toEqual([]);
  app.document.setState(doc);
});

it('names the values of the matrix, or of edited cells, that become infinite or 0', () => {
  const note = { says: '1234 of 5000 values are too large for f16 and are stored as infinity', details: 'more' };
  const side = sideOf('macko', { support: { ok: true, notes: [note] } });
  renderInApp(<MatrixFit side={side} />, app);
  // Narrow spaces between groups of digits are matched as plain ones.
  const message = 'MACKO: 1 234 of 5 000 values are too large for f16 and are stored as infinity.';
  expect(screen.getByText(message).tagName).toBe('P');
  cleanup();
  const doc = app.document.getState();
  app.document.setState({ ...doc, edited: '1' });
  const loaded = { kind: 'ready', notes: [{ ...note, says: '1 of 2 values is' }] } as unknown as Side['story'];
  renderInApp(<MatrixFit side={{ ...side, story: loaded }} />, app);
  expect([screen.queryByText(message), screen.getByText('MACKO: 1 of 2 values is.').tagName]).toEqual([null, 'P']);
  app.document.setState(doc);
});
