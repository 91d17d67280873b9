import { expect, test } from 'vitest';
import type { Panel, Scene } from '../../core/story/scene.ts';
import { settle } from '../../../test/fake-engine.ts';
import { fakeApp } from '../../../test/page.ts';
import { withoutMemoryStrips, withoutMemory } from './presented-app.ts';

const panel = (id: string, unit: Panel['unit']): Panel => ({ id, unit, columns: 1, rows: 1, marks: [] });
const scene = (...panels: readonly Panel[]): Scene => ({ panels, links: [], narration: [], code: null });

test('strips of memory are left out of a presentation, unless there is nothing else', () => {
  const matrix = panel('matrix', 'cell');
  const memory = panel('memory', 'byte');
  expect(withoutMemory(scene(matrix, memory)).panels).toEqual([matrix]);
  for (const whole of [scene(matrix), scene(memory)]) expect(withoutMemory(whole)).toBe(whole);
});

test('a presentation follows the story of its application until it ends', async () => {
  const own = fakeApp();
  const { app, end } = withoutMemoryStrips(own);
  await own.session.start();
  await settle();
  const { trace } = app.session.store.getState();
  expect(trace.kind).toBe('ready');
  own.session.store.setState({ error: 'Found no network.' });
  expect(app.session.store.getState().trace).toBe(trace);
  expect(app.session.store.getState().error).toBe('Found no network.');
  end();
  own.session.store.setState({ error: null });
  expect(app.session.store.getState().error).toBe('Found no network.');
});
