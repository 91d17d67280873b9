import { act, screen, fireEvent } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { formatById } from '../../../formats/registry.ts';
import { fakeSession, settle } from '../../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { useSides } from '../use-sides.ts';
import { TilesSection, CountHistogram } from './TilesSection.tsx';
import { OverflowChart } from './OverflowChart.tsx';
import { compareOverflow } from './overflow-shares.ts';
import { tilingComparisons } from './tilings.ts';

// @vitest-environment happy-dom
afterEach(cleanup);

function Tiles() {
  const [a] = useSides();
  return <TilesSection side={a} />;
}

it('the section counts once for every tile width, and again for another matrix', async () => {
  const { session, document, engine } = fakeSession();
  await session.start();
  const defaults = defaultParams<Record<string, string | number | boolean>>(formatById('twell').params);
  const choose = (params: Record<string, string | number>): Promise<void> =>
    act(async () => {
      const doc = document.getState();
      document.setState({ ...doc, format: 'twell', params: { ...doc.params, twell: { ...defaults, ...params } } });
      await settle();
    });
  await choose({});
  await act(async () => {
    renderInApp(<Tiles />, { ...fakeApp(), session, document, engine });
    await settle();
  });
  const requests = (): readonly string[] => engine.calls.filter((call) => call.startsWith('tileCounts'));
  expect(screen.getByText('256 columns, at most 31 non-zeros')).toBeTruthy();
  expect(screen.getAllByRole('img')).toHaveLength(3);
  expect(requests()).toEqual(['tileCounts 256']);
  await choose({ compression: 4 });
  expect(screen.getByText('256 columns, at most 63 non-zeros')).toBeTruthy();
  expect(requests()).toEqual(['tileCounts 256']);
  await choose({ tileWidth: 64 });
  expect(requests()).toEqual(['tileCounts 256', 'tileCounts 64']);
  await act(async () => {
    await session.openExample('wide');
    await settle();
  });
  expect(requests()).toEqual(['tileCounts 256', 'tileCounts 64', 'tileCounts 64']);
  expect(screen.getAllByRole('img')).toHaveLength(3);
});

const twell = formatById('twell');
const [, byCompression] = tilingComparisons(twell, defaultParams<Record<string, unknown>>(twell.params), 5632);
/** Ten rows of 400 in 22 tiles; one tile row has 40. */
const HISTOGRAMS = {
  rows: Uint32Array.from({ length: 401 }, (_, k) => (k === 400 ? 10 : 0)),
  tileRows: Uint32Array.from({ length: 257 }, (_, k) => (k === 18 ? 219 : k === 40 ? 1 : 0)),
  fullest: Uint32Array.from({ length: 257 }, (_, k) => (k === 18 ? 9 : k === 40 ? 1 : 0)),
};

it('the chart compares overflow of this matrix with chance, and its table has the figures of the paper', () => {
  const here = compareOverflow(byCompression.options[2].tiling, HISTOGRAMS);
  expect(here).not.toBeNull();
  if (!here) return;
  const { container } = renderInApp(<OverflowChart comparison={byCompression} overflow={here} />);
  const label = screen.getByRole('img').getAttribute('aria-label');
  expect(label).toMatch(/At 400, 0.14\u202f% by chance; here 0.455\u202f%\.$/);
  act(() => screen.getByText('table').click());
  const rows = Array.from(container.querySelectorAll('tr'), (row) =>
    Array.from(row.children, (cell) => cell.textContent),
  );
  expect(rows.find(([mean]) => mean === '29')?.[3]).toBe('1.1e\u221233');
  expect(rows.find(([mean]) => mean === '400')?.[4]).toBe('3.04\u202f%');
  expect(rows.find(([mean]) => mean === '500')?.[4]).toBe('50.5\u202f%');
});

it('the histogram draws a bar for every bin that is not empty, in another colour beyond the capacity', () => {
  const { container } = renderInApp(<CountHistogram what="tile rows" counts={HISTOGRAMS.tileRows} capacity={31} />);
  expect(container.querySelectorAll('.count-column')).toHaveLength(2);
  expect(container.querySelectorAll('.count-column[data-over]')).toHaveLength(1);
  const cursor = screen.getByRole('slider', { name: 'non-zeros of tile rows' });
  expect(cursor.getAttribute('aria-valuetext')).toBe('18 to 19 non-zeros: 219 tile rows');
  fireEvent.keyDown(cursor, { key: 'ArrowRight' });
  expect(cursor.getAttribute('aria-valuetext')).toBe('20 to 21 non-zeros: 0 tile rows');
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
    'Non-zeros of 220 tile rows: most often 18 to 19. 1 of 220 tile rows has more than the 31 that fit.',
  );
});

it('the histogram writes a count of one in the singular', () => {
  renderInApp(<CountHistogram what="rows" counts={Uint32Array.of(0, 4)} capacity={null} />, fakeApp());
  expect(screen.getByText(/rows have/).textContent).toBe('4 of 4 rows have 1 non-zero.');
});
