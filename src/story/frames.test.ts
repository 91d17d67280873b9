import { expect, test } from 'vitest';
import { frameScene, frameWords, type Frame, type FrameContext, restMs, wordCount, wordsOf } from './frames.ts';
import { fact, stated } from '../core/text/stated.ts';

const HERE: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

test('text between asterisks is emphasised', () => {
  expect(wordsOf({ text: '*140 bytes* hold it.' })).toEqual([
    { text: '140 bytes', strong: true },
    { text: ' hold it.' },
  ]);
  expect(wordsOf({ text: 'Nothing.' })).toEqual([{ text: 'Nothing.' }]);
});

test('a frame rests until its words have been read', () => {
  expect(wordCount({ text: 'Four bits end at 15. So *15, a stored zero, 2*: together 18.' })).toBe(13);
  expect(wordCount({ text: '4 × 20 bits' })).toBe(3);
  expect(restMs({ text: 'two words' })).toBe(2100);
  expect(restMs({ text: 'two words' }, 500)).toBe(2600);
});

test('frameWords returns the first sentences of a step, as many as are short together', () => {
  const output = (text: string, more: object = {}): string =>
    frameWords({ narration: [{ text: text.slice(0, 12) }, { text: text.slice(12), strong: true }], ...more })
      .map((words) => words.text)
      .join('');
  // Sentences of four and of nine words.
  const four = 'It is 0.5 here.';
  const nine = 'Neither of the two rows has a weight there.';
  expect(output(`${four} ${nine}`)).toBe(`${four} ${nine}`);
  expect(output(`${four} ${nine} ${nine}`)).toBe(`${four} ${nine}`);
  const long = `${nine.slice(0, -1)}, and ${nine}`;
  expect(output(`${long} ${four}`)).toBe(long);
  expect(output(`${four} ${nine} ${nine}`, { sides: { a: { title: 'A' }, b: { title: 'B' } } })).toBe(
    `${four} ${nine} ${nine}`,
  );
  expect(frameWords({ narration: [{ text: `${four} ` }, { text: long, strong: true }] })).toEqual([{ text: four }]);
});

test('a picture of a frame is a scene with its sentence', () => {
  const frame: Frame = {
    id: 'only',
    chapter: 'Only',
    step: 0,
    moves: [100],
    narration: () => stated`*${fact('bytes', 140)}* bytes`,
    draw: (picture, { layout }) => ({ width: 10, height: picture, marks: [], links: [], ...(layout === 'wide' && {}) }),
  };
  const scene = frameScene(frame, 3, HERE);
  expect(scene.drawing?.height).toBe(3);
  expect(scene.narration).toEqual([{ text: '140', strong: true }, { text: ' bytes' }]);
});
