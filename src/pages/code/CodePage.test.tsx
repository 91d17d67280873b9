// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { eventually } from '../../../test/eventually.ts';
import { pageState, withPage } from '../../state/index.ts';
import { CODE_FIELDS } from './address.ts';
import { CodePage } from './CodePage.tsx';
import { act, fireEvent } from '@testing-library/react';
import type { FakeEngine } from '../../../test/fake-engine.ts';

afterEach(cleanup);

it('shows kernels read-only, and reports what a link names that does not exist', async () => {
  const app = fakeApp();
  await app.session.start();
  app.document.setState(withPage(app.document.getState(), CODE_FIELDS, { kernel: 'csr/nothing' }));
  const page = renderInApp(<CodePage isWide />, app);
  await eventually(() => expect(page.getByRole('alert').textContent).toContain('‘csr/nothing’'));
  expect(page.getByRole('navigation', { name: 'Kernels by format' })).toBeTruthy();
  for (const name of ['Edit a copy', 'Memory', 'formats']) expect(page.queryByRole('button', { name })).toBeNull();
  page.getAllByRole('button', { name: /spmv_scalar/ })[0].click();
  await eventually(() => expect(pageState(app.document.getState(), CODE_FIELDS).kernel).toMatch(/\/spmv_scalar$/));
});

it('shows buffers and constants of the chosen pass, also for a file in two passes', async () => {
  const app = fakeApp();
  const { kernels } = app.engine as FakeEngine;
  const { read } = kernels;
  kernels.read = async (...request) => {
    const reading = await read(...request);
    const shared = { path: 'shared.wgsl', code: '// shared' };
    const passes = ['first', 'second'].map((name) => ({
      ...reading.passes[0],
      path: `${name}.wgsl`,
      files: [shared, { path: `${name}.wgsl`, code: 'fn main() {}' }],
      overrides: [{ name: `OF_${name}`, type: 'u32', value: 1, isSet: true, meaning: '' }],
    }));
    return { ...reading, passes };
  };
  await app.session.start();
  const page = renderInApp(<CodePage isWide />, app);
  const second = await page.findByRole('button', { name: /^2\. second/ });
  fireEvent.click(page.getByRole('button', { name: 'details' }));
  fireEvent.click(page.getByRole('button', { name: 'constants' }));
  expect(page.getByText('OF_first')).toBeTruthy();
  fireEvent.click(second);
  expect(page.getByText('OF_second')).toBeTruthy();
  act(() => app.document.setState(withPage(app.document.getState(), CODE_FIELDS, { file: 'shared.wgsl' })));
  expect([page.getByText('OF_second').textContent, second.getAttribute('aria-pressed')]).toEqual(['OF_second', 'true']);
  act(() => app.document.setState(withPage(app.document.getState(), CODE_FIELDS, { file: 'first.wgsl' })));
  expect(page.getByText('OF_first')).toBeTruthy();
});
