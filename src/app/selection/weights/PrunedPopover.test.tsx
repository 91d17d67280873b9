// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { fakeApp, renderInApp } from '../../../../test/page.ts';
import { PrunedPopover } from './PrunedPopover.tsx';

afterEach(cleanup);

/** Opens the popover for a matrix with this pruning; returns the prunings that are requested and previewed from then on. */
async function openPopover(pruning: Pruning | null) {
  const requested: (Pruning | null)[] = [];
  const previewed: (Pruning | null)[] = [];
  const app = fakeApp();
  await app.session.start();
  if (pruning) await app.session.prune(pruning);
  const session = {
    ...app.session,
    prune: async (next: Pruning | null) => void requested.push(next),
    previewPruning: (next: Pruning | null) => void previewed.push(next),
  };
  await act(async () => {
    renderInApp(<PrunedPopover onClose={() => {}} part={null} isNarrow={false} />, { ...app, session });
  });
  return { requested, previewed };
}

it('the slider previews every share that it passes, and requests the last one on release', async () => {
  const { requested, previewed } = await openPopover({ way: 'rows', density: 0.2 });
  const slider = screen.getByRole('slider', { name: 'Left' });
  for (const value of ['0.1', '0.05', '0.2']) fireEvent.change(slider, { target: { value } });
  expect([previewed, requested]).toEqual([[{ way: 'rows', density: 0.1 }, { way: 'rows', density: 0.05 }, null], []]);
  fireEvent.change(slider, { target: { value: '0.1' } });
  expect(screen.getByText(/^10\s%$/)).toBeTruthy();
  fireEvent.pointerUp(slider);
  expect(requested).toEqual([{ way: 'rows', density: 0.1 }]);
});

it('another way of pruning keeps the share, and no pruning brings the whole matrix back', async () => {
  const { requested } = await openPopover({ way: 'magnitude', density: 0.2 });
  fireEvent.click(
    screen.getAllByRole('radio').find((candidate) => !(candidate as HTMLInputElement).checked) as HTMLElement,
  );
  fireEvent.click(screen.getByRole('radio', { name: /by magnitude in every row/ }));
  expect(requested).toContainEqual({ way: 'rows', density: 0.2 });
  expect(requested).toContain(null);
});

it('the list of patterns sets a pattern, and shows that of a link even if it is not in the list', async () => {
  const { requested } = await openPopover({ way: 'n-of-m', kept: 3, group: 7 });
  const pattern = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Pattern' });
  expect(pattern.value).toBe('3:7');
  fireEvent.change(pattern, { target: { value: '6:8' } });
  expect(requested).toEqual([{ way: 'n-of-m', kept: 6, group: 8 }]);
});

it('the slider changes N of M, and keeps the focus', async () => {
  const { requested, previewed } = await openPopover({ way: 'n-of-m', kept: 6, group: 8 });
  const slider = screen.getByRole('slider', { name: 'Left of 8' });
  slider.focus();
  expect(slider.getAttribute('aria-valuetext')).toBe('6 of every 8 neighbours');
  for (const value of ['5', '4']) fireEvent.change(slider, { target: { value } });
  expect(previewed).toEqual([5, 4].map((kept) => ({ way: 'n-of-m', kept, group: 8 })));
  expect(requested).toEqual([]);
  fireEvent.keyUp(slider);
  expect(requested).toEqual([{ way: 'n-of-m', kept: 4, group: 8 }]);
  expect(document.activeElement).toBe(slider);
});
