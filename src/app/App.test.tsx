// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REPORT } from '../../test/fake-engine.ts';
import { App } from './App.tsx';
import { fakeApp } from '../../test/page.ts';

/** Mocks of parts of the page: each renders its name, or throws if it is in `broken`. */
const { broken, part } = vi.hoisted(() => {
  const names = new Set<string>();
  return {
    broken: names,
    part: (name: string) => (): string => {
      if (names.has(name)) throw new Error(`found a hole in the ${name}`);
      return `[${name}]`;
    },
  };
});
vi.mock(import('./shell/Header.tsx'), async (original) => ({ ...(await original()), Header: part('header') as never }));
vi.mock(import('../kit/frame/StatusBars.tsx'), async (original) => ({
  ...(await original()),
  StatusBars: part('bars') as never,
}));
vi.mock(import('./shell/DropTarget.tsx'), async (original) => ({
  ...(await original()),
  DropTarget: part('drop target') as never,
}));
vi.mock(import('../pages/watch/details/Bytes.tsx'), () => ({ Bytes: part('bytes') as never }));
vi.mock(import('../kit/stage/Narration.tsx'), () => ({ Narration: part('stage') as never }));
vi.mock(import('../kit/stage/SceneCanvas.tsx'), () => ({ SceneCanvas: part('canvas') as never }));
vi.mock(import('../kit/stage/PlayerControls.tsx'), () => ({ PlayerControls: part('player') as never }));
vi.mock(import('../pages/measure/answer/TimeBars.tsx'), async (original) => ({
  ...(await original()),
  TimeBars: part('times') as never,
}));
vi.mock(import('../pages/measure/form/BenchControls.tsx'), () => ({ BenchControls: part('controls') as never }));
vi.mock(import('../pages/measure/report/BenchResult.tsx'), () => ({ BenchResult: part('result') as never }));
vi.mock(import('../pages/measure/report/BenchFacts.tsx'), () => ({ BenchFacts: part('facts') as never }));
vi.mock(import('../pages/compare/ComparePage.tsx'), () => ({ ComparePage: part('compare page') as never }));
vi.mock(import('./palette/Palette.tsx'), () => ({ Palette: part('palette') as never }));
vi.mock(import('./palette/ShortcutSheet.tsx'), () => ({ ShortcutSheet: part('shortcut sheet') as never }));
vi.mock(import('./matrix-picker/MatrixPicker.tsx'), () => ({ MatrixPicker: part('picker') as never }));
vi.mock(import('./matrix-picker/TensorBrowser.tsx'), () => ({ TensorBrowser: part('tensor browser') as never }));
vi.mock(import('../kit/browser/use-media.ts'), async (original) => ({ ...(await original()), useMedia: () => true }));

const press = (key: string, init: KeyboardEventInit = {}): void => {
  fireEvent.keyDown(document.body, { key, code: key, ...init });
};

const openSection = async (name: string): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: 'details' }));
  fireEvent.click(await screen.findByRole('button', { name }));
};

async function openDetailsOfMeasure({ session }: ReturnType<typeof fakeApp>, name: string): Promise<void> {
  act(() => session.setView('measure'));
  await openSection(name);
}

beforeEach(() => {
  localStorage.clear();
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  // React logs errors that an error boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  broken.clear();
  vi.restoreAllMocks();
});

/** The page with a matrix that was opened and a result that was imported. */
async function openPage(): Promise<ReturnType<typeof fakeApp>> {
  const app = fakeApp();
  await app.session.start();
  await app.session.importReport(new File([JSON.stringify(REPORT)], 'friend.json'));
  render(<App stores={app} />);
  return app;
}

describe('an error while a part of the page is drawn', () => {
  it.each([
    ['header', 'The header', () => {}],
    ['bars', 'The message bar', () => {}],
    ['drop target', 'The drop area', () => {}],
    ['stage', 'The stage', () => {}],
    ['player', 'The player', () => {}],
    ['bytes', 'The section “bytes by purpose”', () => openSection('bytes by purpose')],
    ['times', 'The picture', (app) => openDetailsOfMeasure(app, 'runs and files')],
    ['controls', 'The section “settings and sweeps”', (app) => openDetailsOfMeasure(app, 'settings and sweeps')],
    ['result', 'The section “all kernels tried”', (app) => openDetailsOfMeasure(app, 'all kernels tried')],
    ['facts', 'The section “how it was verified”', (app) => openDetailsOfMeasure(app, 'how it was verified')],
    ['compare page', 'The view “Compare”', ({ session }) => act(() => session.setView('compare'))],
    ['palette', 'The search', () => press('k', { ctrlKey: true })],
    ['shortcut sheet', 'The list of shortcuts', () => press('?', { shiftKey: true })],
    [
      'picker',
      'The word “Weights”',
      async ({ session }) => {
        act(() => session.store.setState({ trace: { kind: 'none' }, storyB: { kind: 'none' } }));
        fireEvent.click(await screen.findByRole('button', { name: 'Choose one' }));
      },
    ],
    [
      'tensor browser',
      'The list of tensors',
      ({ session }) =>
        act(() => session.store.setState({ choice: { source: { kind: 'file', name: 'a' }, tensors: [] } })),
    ],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (app: ReturnType<typeof fakeApp>) => void | Promise<void>,
  ])[])('in the %s does not change the rest, shows the error, and can be tried again', async (name, title, show) => {
    const app = await openPage();
    const { summary, bench } = app.session.store.getState();
    expect(summary).not.toBeNull();
    expect(bench.runs).toHaveLength(1);
    broken.add(name);
    // Renders again with a broken part, as if it received a step, a run or a file that it cannot draw.
    cleanup();
    render(<App stores={app} />);
    await show(app);

    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(`${title} cannot be shown: found a hole in the ${name}.`);
    if (name !== 'header') expect(document.body.textContent).toContain('[header]');
    expect(app.session.store.getState()).toMatchObject({ summary, bench: { runs: bench.runs } });

    broken.clear();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(document.body.textContent).toContain(`[${name}]`));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers the pages that work', async () => {
    broken.add('compare page');
    const app = await openPage();
    act(() => app.session.setView('compare'));
    await screen.findByRole('alert');
    fireEvent.click(screen.getByRole('link', { name: 'Go to Measure' }));
    await waitFor(() => expect(document.body.textContent).toContain('[times]'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('on the stage goes with the step that it was in', async () => {
    const app = await openPage();
    await waitFor(() => expect(app.player.store.getState().stepCount).toBeGreaterThan(0));
    broken.add('stage');
    act(() => app.player.nextStepOrChapter());
    await screen.findByText(/The stage cannot be shown/);
    broken.clear();
    act(() => app.player.nextStepOrChapter());
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(document.body.textContent).toContain('[stage]');
  });
});
