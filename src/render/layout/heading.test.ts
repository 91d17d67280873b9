import { expect, it } from 'vitest';
import { estimateTextWidth } from '../text-measurer.ts';
import { withCaption } from './heading.ts';
import type { LaidOutScene } from './laid-out.ts';
import { MARGIN } from './metrics.ts';

const layout: LaidOutScene = { width: 200, height: 50, panels: [], marks: [], labels: [], links: [], tags: [] };

it('a picture stands between its text and its footer, whose long address is broken without losing a letter', () => {
  const address = `https://example.org/#2/watch?src=cells:${'0:1;'.repeat(40)}`;
  const caption = { words: [{ text: 'Eight rows share.' }], footer: ['EC-SpMV · my.mtx', address] };
  const { height, marks } = withCaption(layout, caption, estimateTextWidth);
  const lines = marks.filter(({ mark }) => mark.id.startsWith('footer'));
  expect(lines[0].text).toBe('EC-SpMV · my.mtx');
  expect(
    lines
      .slice(1)
      .map(({ text }) => text)
      .join(''),
  ).toBe(address);
  expect(lines.length).toBeGreaterThan(3);
  for (const { x, y, w, h } of lines) {
    expect(x + w).toBeLessThanOrEqual(layout.width);
    expect(y).toBeGreaterThan(layout.height);
    expect(y + h).toBeLessThanOrEqual(height);
  }
  expect(marks.find(({ mark }) => mark.id === 'heading')?.y).toBe(MARGIN);
});
