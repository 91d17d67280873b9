// @vitest-environment happy-dom
import { cleanup, fireEvent, renderHook, screen } from '@testing-library/react';
import { createElement, type PropsWithChildren } from 'react';
import { afterEach, expect, it } from 'vitest';
import { fakeApp, renderInApp } from '../../../test/page.ts';
import { defaultParams } from '../../core/format.ts';
import { type Frame, sliderThrough } from '../../story/frames.ts';
import { params } from '../../formats/macko/params.ts';
import { story } from '../../formats/macko/story/index.ts';
import { generate } from '../../generate/generate.ts';
import { AppProvider } from '../app-context.ts';
import { FrameSlider } from './FrameSlider.tsx';
import { useFrameContext, useStillContext } from './use-frame-context.ts';

afterEach(cleanup);

const SHARES = ['10 %', '30 %', '50 %'];
const frame: Frame = {
  id: 'verdict',
  chapter: 'So what',
  step: 0,
  narration: () => ({ text: 'verdict', facts: [] }),
  moves: [0],
  draw: () => ({ width: 1, height: 1, marks: [] }),
  slider: (context) => sliderThrough(context, 'weights kept', SHARES, (text) => text, SHARES[1]).slider,
};

/** An app that shows the story of another matrix for every seed. */
function appWith(seed: number, app = fakeApp()) {
  const m = generate({ pattern: 'uniform', rows: 4, cols: 32, density: 0.3, seed });
  const trace = story.trace(m, defaultParams(params));
  app.session.store.setState({ trace: { kind: 'ready', story, trace } });
  return app;
}

const slider = (): HTMLInputElement => screen.getByRole('slider', { name: 'weights kept' });

it('the slider of a frame has a name and the text of its point, and rests only at points', () => {
  renderInApp(<FrameSlider frame={frame} />, appWith(1));
  expect([slider().min, slider().max, slider().step, slider().value]).toEqual(['0', '2', '1', '1']);
  expect(slider().getAttribute('aria-valuetext')).toBe('30 %');
  fireEvent.change(slider(), { target: { value: '2' } });
  expect(slider().getAttribute('aria-valuetext')).toBe('50 %');
});

it('the point of the slider is in the context of the pictures, but not in that of saved files', () => {
  const app = appWith(1);
  const wrapper = ({ children }: PropsWithChildren) => createElement(AppProvider, { value: app }, children);
  const { result } = renderHook(() => [useFrameContext().point, useStillContext().point], { wrapper });
  expect(result.current).toEqual([undefined, undefined]);
  renderInApp(<FrameSlider frame={frame} />, app);
  fireEvent.change(slider(), { target: { value: '0' } });
  expect(result.current).toEqual(['10 %', undefined]);
});

it('the slider is back at its initial point after the matrix changes', () => {
  const app = appWith(1);
  const { unmount } = renderInApp(<FrameSlider frame={frame} />, app);
  fireEvent.change(slider(), { target: { value: '0' } });
  unmount();
  renderInApp(<FrameSlider frame={frame} />, appWith(2, app));
  expect(slider().getAttribute('aria-valuetext')).toBe('30 %');
});

it('a frame without a slider renders nothing', () => {
  const { container } = renderInApp(<FrameSlider frame={{ ...frame, slider: () => null }} />, appWith(1));
  expect(container.innerHTML).toBe('');
});
