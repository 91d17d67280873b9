// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Boundary } from '../frame/Boundary.tsx';
import { renderInApp } from '../../../test/page.ts';
import { lazyPart, type preloadParts } from './lazy-part.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('a lazy part whose code did not arrive requests it again on the next try', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let requested = 0;
  const Part = lazyPart(async () => {
    if (++requested < 3) throw new TypeError('Failed to fetch');
    return () => <p>here it is</p>;
  });
  renderInApp(
    <Boundary name="The part">
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </Boundary>,
  );
  for (const time of [1, 2]) {
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The part cannot be shown: its code failed to load.',
    );
    expect(requested).toBe(time);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  }
  expect((await screen.findByText('here it is')).textContent).toBe('here it is');
});

it('preloadParts loads small parts, and leaves large ones until they are shown', async () => {
  // A separate instance of the module, since its list of parts also contains those of other tests.
  const separateUrl = './lazy-part.ts?alone';
  const separate = (await import(separateUrl)) as { lazyPart: typeof lazyPart; preloadParts: typeof preloadParts };
  const requested: string[] = [];
  const part =
    (name: string): (() => Promise<() => null>) =>
    async () => {
      requested.push(name);
      return () => null;
    };
  separate.lazyPart(part('small'));
  separate.lazyPart(part('large'), { isPreloaded: false });
  await separate.preloadParts();
  expect(requested).toContain('small');
  expect(requested).not.toContain('large');
});
