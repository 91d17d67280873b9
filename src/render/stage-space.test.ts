// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { stageSpace } from './stage-space.ts';

afterEach(() => document.body.replaceChildren());

/** The height that a picture gets below these elements, in a scrolling element 700 px high. */
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
  const element = document.createElement('div');
  Object.defineProperty(element, 'offsetHeight', { value: height });
  return element;
}

it('stageSpace subtracts the height of elements with data-above from the height of pictures, and of no others', () => {
  const marked = block(60);
  marked.dataset.above = '';
  const before = spaceBelow([]);
  expect(spaceBelow([block(60)])).toBe(before);
  expect(spaceBelow([marked])).toBe(before - 60);
});
