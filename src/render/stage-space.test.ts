// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { stageSpace } from './stage-space.ts';

afterEach(() => document.body.replaceChildren());

/** A picture in something that scrolls and is 700 px high, below this. */
function spaceBelow(above: readonly HTMLElement[]): number {
  const scroller = document.createElement('div');
  scroller.style.overflowY = 'auto';
  Object.defineProperty(scroller, 'clientHeight', { value: 700 });
  const container = document.createElement('div');
  Object.defineProperty(container, 'clientWidth', { value: 1000 });
  container.getBoundingClientRect = () => new DOMRect(0, 150, 1000, 400);
  scroller.append(...above, container);
  document.body.append(scroller);
  return stageSpace(container).storyHeight;
}

function block(height: number): HTMLElement {
  const made = document.createElement('div');
  Object.defineProperty(made, 'offsetHeight', { value: height });
  return made;
}

it('all pictures of a story have the height below the elements above all of them, and only below those', () => {
  const marked = block(60);
  marked.dataset.above = '';
  const before = spaceBelow([]);
  expect(spaceBelow([block(60)])).toBe(before);
  expect(spaceBelow([marked])).toBe(before - 60);
});
