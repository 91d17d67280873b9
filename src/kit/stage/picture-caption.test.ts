import { expect, it } from 'vitest';
import type { Frame } from '../../story/frames.ts';
import type { TimelineFrame } from '../../story/timeline.ts';
import { pictureName, slugOf } from './picture-caption.ts';

const frame = (chapter: string, isQuestion = false): TimelineFrame => ({
  at: 0,
  chapter,
  scriptFrame: isQuestion ? ({ question: {} } as Frame) : null,
});

it('a picture’s file is named by words of the page, with the frame’s number as the page counts it', () => {
  const frames = [frame('Rows'), frame('Rows', true), frame('Eight rows')];
  const chapters = [{ id: 'a', title: 'Count', firstStep: 0, stepCount: 9 }];
  const name = (at: number | null, step = 0): string => pictureName('EC-SpMV', { frame: at, frames, step, chapters });
  expect(name(1)).toBe('ec-spmv-frame-1-rows');
  expect(name(2)).toBe('ec-spmv-question-after-frame-1-rows');
  expect(name(3)).toBe('ec-spmv-frame-2-eight-rows');
  expect(name(null, 7)).toBe('ec-spmv-step-7-count');
});

it('a name has letters of every script, digits and hyphens', () => {
  expect(slugOf(' “y = A x”, größer ')).toBe('y-a-x-größer');
});
