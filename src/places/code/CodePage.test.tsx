// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { eventually } from '../../../test/eventually.ts';
import { placeState, withPlace } from '../../state/index.ts';
import { CODE_FIELDS } from './address.ts';
import { CodePage } from './CodePage.tsx';

afterEach(cleanup);

it('reads kernels without anything that changes them, and says what a link asks for in vain', async () => {
  const app = fakeApp();
  await app.session.start();
  app.document.setState(withPlace(app.document.getState(), CODE_FIELDS, { kernel: 'csr/nothing' }));
  const page = renderInApp(<CodePage wide />, app);
  await eventually(() => expect(page.getByRole('alert').textContent).toContain('‘csr/nothing’'));
  expect(page.getByRole('navigation', { name: 'Kernels by format' })).toBeTruthy();
  for (const name of ['Edit a copy', 'Memory', 'formats']) expect(page.queryByRole('button', { name })).toBeNull();
  page.getAllByRole('button', { name: /spmv_scalar/ })[0].click();
  await eventually(() => expect(placeState(app.document.getState(), CODE_FIELDS).kernel).toMatch(/\/spmv_scalar$/));
});
