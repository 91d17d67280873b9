import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { settle } from '../../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { recordedDevices } from '../../../../test/recorded-questions.ts';
import { ChoiceContext } from '../../../kit/browser/choices.ts';
import { RooflineDetails } from './RooflineDetails.tsx';

// @vitest-environment happy-dom
afterEach(cleanup);

const CHOICES = { texts: {}, choose: () => {} };

it('draws the roof alone for a matrix without non-zeros, which has no arithmetic', async () => {
  const app = fakeApp();
  await app.session.start();
  await app.session.openExample('empty');
  await settle();
  const visibleDevice = { device: recordedDevices[0], devices: recordedDevices } as never;
  const section = <RooflineDetails visibleDevice={visibleDevice} measuredPair={null} />;
  renderInApp(<ChoiceContext value={CHOICES}>{section}</ChoiceContext>, app);
  expect(screen.getByText('Without non-zeros there is no useful arithmetic.')).toBeTruthy();
  expect(screen.getByRole('img', { name: /A roof with no kernels/ })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
