import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { fakeApp } from '../../../test/page.ts';
import { eventually } from '../../../test/eventually.ts';
import type { Frame } from '../../story/frames.ts';
import type { Scene } from '../../story/scene.ts';
import { LIGHT } from '../../render/index.ts';
import { type App, AppProvider } from '../app-context.ts';
import { ShellContext, type ShellActions } from '../frame/shell-context.ts';
import { SceneCanvas } from './SceneCanvas.tsx';

// @vitest-environment happy-dom

/** What the view was asked to do, in order. */
const calls: string[] = [];
/** Parts of a preparation that are still to be done. */
let parts = 0;

const nameOf = ({ narration: [words] }: Scene): string => words.text;

vi.mock('../../render/index.ts', async (original) => ({
  ...(await original<object>()),
  SceneView: class {
    canvas = document.createElement('canvas');
    prepare(scene: Scene): void {
      calls.push(`prepare ${nameOf(scene)}`);
    }
    prepareMore(): boolean {
      parts--;
      return parts > 0;
    }
    show(scene: Scene): void {
      calls.push(`show ${nameOf(scene)}${parts > 0 ? ` with ${parts} parts to do` : ''}`);
    }
    setTheme(): void {}
    setWhole(): void {}
    setHighlight(): void {}
    setReducedMotion(): void {}
    dispose(): void {}
  },
}));

afterEach(cleanup);

const sceneOf = (name: string): Scene => ({ panels: [], links: [], narration: [{ text: name }] }) as unknown as Scene;
const frameOf = (id: string): Frame => ({ id, chapter: 'Why', step: 0, moves: [0] }) as unknown as Frame;

it('a frame that gets new facts is laid out in parts and then drawn, and another frame is drawn at once', async () => {
  const frames = [frameOf('one'), frameOf('two')].map((scriptFrame, at) => ({ at, scriptFrame }));
  const store = createStore(() => ({ frame: 1, frames, step: 0, stops: [], moving: false, picture: 0, speed: 1 }));
  const player = { store, setReducedMotion: () => {} } as unknown as App['player'];
  const app = { ...fakeApp(), player };
  const page = (scene: Scene) => (
    <AppProvider value={app}>
      <ShellContext value={{ theme: LIGHT } as unknown as ShellActions}>
        <SceneCanvas scene={scene} format="macko" />
      </ShellContext>
    </AppProvider>
  );
  const { rerender } = render(page(sceneOf('first')));
  await eventually(() => expect(calls).toContain('show first'));
  calls.length = 0;
  parts = 4;
  rerender(page(sceneOf('with times')));
  expect(calls).toEqual(['prepare with times']);
  await eventually(() => expect(calls).toEqual(['prepare with times', 'show with times']));
  calls.length = 0;
  parts = 4;
  act(() => store.setState({ frame: 2 }));
  rerender(page(sceneOf('next frame')));
  expect(calls).toEqual(['show next frame with 4 parts to do']);
});
