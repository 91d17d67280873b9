// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { buildMatrix } from '../../../test/arbitraries.ts';
import { fakeSession } from '../../../test/fake-engine.ts';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { resolvedParams } from '../../core/format.ts';
import { formatById } from '../../formats/registry.ts';
import { askedOf } from '../../kit/report/matrix-times.ts';
import { Ablation, STEPS } from './Ablation.tsx';

afterEach(cleanup);

it('each step takes no more bytes than the one before, on a uniform matrix of 256 × 4096', () => {
  const m = buildMatrix({
    shape: [256, 4096],
    pattern: 'uniform',
    density: 0.3,
    values: 'normal',
    seed: 3,
    storage: 'entries',
  });
  const sizes = STEPS.map(({ format: id, params }) => {
    const format = formatById(id);
    return format.storage(format.encode(m, resolvedParams(format.params, params, m))).totalBytes;
  });
  const [csr, ...others] = sizes;
  // 4 of 6 bytes are left of a non-zero at most: one of delta, two of value, and what lanes need.
  for (const size of others) expect(size / csr).toBeLessThan(0.6);
  expect(sizes[2]).toBeLessThan(sizes[1]);
  expect(sizes[3]).toBeLessThanOrEqual(sizes[2]);
});

it('encodes nothing before it is asked to, then every step once, in order', async () => {
  const all = fakeSession();
  const app = { ...fakeApp(), ...all };
  await all.session.start();
  const summary = all.session.store.getState().summary;
  if (summary === null) throw new Error('no matrix is open');
  const device = { id: 'this', kind: 'this', name: 'here', label: '', reports: [], roofs: null } as never;
  renderInApp(<Ablation asked={askedOf(summary, 1)} device={device} />, app);
  const encoded = (): readonly string[] => all.engine.calls.filter((call) => /^encode .*valueType/.test(call));
  expect(encoded()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Encode all steps' }));
  await screen.findByRole('row', { name: /^longest first, and cut/ });
  expect(encoded()).toEqual(STEPS.map(({ format, params }) => `encode ${format} ${JSON.stringify(params)}`));
  expect(screen.getByRole('row', { name: /^deltas of 8 bits alone/ }).textContent).toContain('15.4');
});
