// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AnyFormat } from '../../../core/format.ts';
import { formats } from '../../../formats/registry.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { type BenchForm, withOperation } from '../../../state/bench-form.ts';
import { KernelChoice } from './KernelChoice.tsx';

afterEach(cleanup);

/** Only dense has a kernel for gemm. */
const fakes: readonly AnyFormat[] = formats.map((f) => ({
  ...f,
  kernels: [
    ...f.kernels.filter((k) => k.operation === 'spmv'),
    ...(f.id === REFERENCE_FORMAT ? [{ ...f.kernels[0], id: 'dense/fake', title: 'a fake', operation: 'gemm' }] : []),
  ],
}));

function show(change: (form: BenchForm) => BenchForm, app = fakeApp()): void {
  renderInApp(<KernelChoice form={change(app.benchForm.getState())} set={() => {}} />, { ...app, formats: fakes });
}

const box = (name: RegExp): HTMLInputElement => screen.getByRole('checkbox', { name });

it('lets every format run y = A x', () => {
  show((form) => form);
  for (const { title } of fakes.filter((f) => f.id !== REFERENCE_FORMAT)) {
    expect(box(new RegExp(`^${title}`)).disabled).toBe(false);
  }
});

it('disables formats without a kernel of the operation, with the reason', () => {
  show((form) => withOperation(form, 'gemm'));
  expect([box(/^MACKO no kernel/).disabled, box(/^MACKO/).checked]).toEqual([true, false]);
  expect(box(/^dense/).checked).toBe(true);
});

it('lists the kernels of the operation if they are chosen one by one', () => {
  show((form) => ({ ...withOperation(form, 'gemm'), variants: 'chosen' }));
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['a fake']);
});

it('names the format that cannot store this matrix, and prunes it', () => {
  const app = fakeApp();
  const rejected = { ok: false, reason: 'too full', remedy: null, prune: { kept: 6, group: 8 } } as const;
  const summary = { support: rejected, ledger: null } as never;
  app.session.store.setState({ encodings: { slidesparse: { kind: 'ready', params: {}, summary } } });
  const prune = vi.spyOn(app.session, 'prune').mockResolvedValue();
  show((form) => ({ ...form, pair: false, formats: fakes.map(({ id }) => id) }), app);
  fireEvent.click(screen.getByRole('button', { name: 'prune it to 6:8' }));
  expect(prune).toHaveBeenCalledWith({ way: 'n-of-m', kept: 6, group: 8 });
  expect(screen.getAllByText(/cannot store this matrix/)).toHaveLength(1);
});
