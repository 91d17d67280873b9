// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { formatById } from '../../../formats/registry.ts';
import { fakeSession, settle } from '../../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { useSides } from '../sides.ts';
import { TilesSection } from './TilesSection.tsx';

afterEach(cleanup);

function Tiles() {
  const [a] = useSides();
  return <TilesSection of={a} />;
}

it('counts once for every tile width, and shows the matrix that is open', async () => {
  const { session, document, engine } = fakeSession();
  await session.start();
  const usual = defaultParams<Record<string, string | number | boolean>>(formatById('twell').params);
  const choose = (params: Record<string, string | number>): Promise<void> =>
    act(async () => {
      const doc = document.getState();
      document.setState({ ...doc, format: 'twell', params: { ...doc.params, twell: { ...usual, ...params } } });
      await settle();
    });
  await choose({});
  await act(async () => {
    renderInApp(<Tiles />, { ...fakeApp(), session, document, engine });
    await settle();
  });
  const asked = (): readonly string[] => engine.calls.filter((call) => call.startsWith('tileCounts'));
  expect(screen.getByText('256 columns, room for 31')).toBeTruthy();
  expect(screen.getAllByRole('img')).toHaveLength(3);
  expect(asked()).toEqual(['tileCounts 256']);
  await choose({ compression: 4 });
  expect(screen.getByText('256 columns, room for 63')).toBeTruthy();
  expect(asked()).toEqual(['tileCounts 256']);
  await choose({ tileWidth: 64 });
  expect(asked()).toEqual(['tileCounts 256', 'tileCounts 64']);
  await act(async () => {
    await session.openExample('wide');
    await settle();
  });
  expect(asked()).toEqual(['tileCounts 256', 'tileCounts 64', 'tileCounts 64']);
  expect(screen.getAllByRole('img')).toHaveLength(3);
});
