import { describe, expect, it } from 'vitest';
import { defaultParams, stageParams } from '../../src/core/format.ts';
import { type JoinedFrame, joinStories } from '../../src/core/story/joined-stories.ts';
import { frameSteps, type Span } from '../../src/core/story/frame-steps.ts';
import { narrationText } from '../../src/core/story/scene.ts';
import type { TracedStory } from '../../src/core/story/step-kind.ts';
import { columnsMatrix } from '../matrices.ts';
import { formatsWithStories, type FormatWithStory } from '../stories.ts';

/**
 * The steps worth a frame in a window: those on the way to each, its kind, and what is said where it rests. The window is
 * five rows of the digits network, of which the first has four ordinary gaps and then one that takes a padding zero.
 * Read a change as a person who presses the arrow key would, and accept it with
 * `npx vitest run --project unit test/golden/frame-steps.test.ts -u`.
 */
const WINDOW = columnsMatrix(32, [
  [1, 5, 6, 9, 26, 29, 31],
  [0, 2, 3, 7, 12, 15, 22, 24, 26, 27, 28, 30, 31],
  [12, 15, 25, 29, 31],
  [0, 1, 4, 15, 18, 20, 21, 25, 27, 28, 29],
  [5, 7, 8, 24, 25, 27],
]);

const everyStory = await formatsWithStories();

function on(id: string): TracedStory & FormatWithStory {
  const found = everyStory.find(({ format }) => format.id === id);
  if (!found) throw new Error(`the registry has no ${id}`);
  const params = stageParams<object>(found.format.params, defaultParams(found.format.params));
  return { ...found, trace: found.story.trace(WINDOW, params) };
}

function stepsText(span: Span | null): string {
  if (!span) return '-';
  return span.from === span.to ? String(span.to + 1) : `${span.from + 1} to ${span.to + 1}`;
}

/** Numbers of steps are those of the player: 1 is the picture after the first step. */
function frameStepsText({ story, trace }: TracedStory & FormatWithStory): string {
  let chapter = -1;
  const lines = frameSteps({ story, trace }).map(({ steps, kind, chapter: number }) => {
    const title = number === chapter ? '' : `\n# ${trace.chapters[number].title}\n`;
    chapter = number;
    return `${title}\n${kind}, ${stepsText(steps)}\n   ${narrationText(story.scene(trace, steps.to + 1))}`;
  });
  return `${lines.join('\n').trim()}\n`;
}

function joinedText(a: TracedStory & FormatWithStory, b: TracedStory & FormatWithStory): string {
  const titleOf = ({ of, index }: JoinedFrame['chapter']): string => (of === 'a' ? a : b).trace.chapters[index].title;
  let chapter = '';
  const lines = joinStories(a, b).frames.map((frame) => {
    const title = titleOf(frame.chapter);
    const heading = title === chapter ? '' : `\n# ${title}\n\n`;
    chapter = title;
    return `${heading}${stepsText(frame.a)} | ${stepsText(frame.b)}`;
  });
  return `${lines.join('\n').trim()}\n`;
}

describe('the steps worth a frame of', () => {
  it.each(['macko', 'bsr', 'slidesparse'])('%s', async (id) => {
    await expect(frameStepsText(on(id))).toMatchFileSnapshot(`frame-steps-${id}.txt`);
  });

  it.each([
    ['macko', 'csr'],
    ['csr', 'dense'],
  ])('%s against %s', async (a, b) => {
    await expect(joinedText(on(a), on(b))).toMatchFileSnapshot(`frame-steps-${a}-${b}.txt`);
  });
});
