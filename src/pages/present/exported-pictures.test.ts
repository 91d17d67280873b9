import { describe, expect, it } from 'vitest';
import { plainText } from '../../../test/text-rules.ts';
import { estimateTextWidth } from '../../render/text-measurer.ts';
import { formatsWithStories } from '../../../test/stories.ts';
import { sampleMatrix } from '../../../test/sample-scenes.ts';
import { defaultParams, storyParams } from '../../core/format.ts';
import { frameWords, restMs } from '../../story/frames.ts';
import { narrationText } from '../../story/scene.ts';
import { timelineOf } from '../../story/timeline.ts';
import { storySource } from '../../kit/stage/use-scene.ts';
import { withHeading } from '../../render/layout/heading.ts';
import { layoutScene } from '../../render/layout/layout.ts';
import { chapterOnStage, exportedPictures, pictureCount, type StoryOnStage } from './exported-pictures.ts';

const stories = await formatsWithStories();

function onStage(id: string, frame: number | null, step = 0): StoryOnStage {
  const found = stories.find(({ format }) => format.id === id);
  if (!found) throw new Error(`found no format ${id}`);
  const { format, story } = found;
  const params = storyParams(format.params, defaultParams(format.params));
  const trace = story.trace(sampleMatrix(4, 32, 0.3), params);
  const timeline = timelineOf({ story, trace });
  return {
    source: storySource({ story, trace }, timeline),
    timeline,
    context: { layout: 'wide', wholeMatrix: null, recordedTimes: null },
    player: { frame, frames: timeline.frames, step },
  };
}

describe('pictures of a story for files', () => {
  const scripted = onStage('macko', 1);
  const all = [...exportedPictures(scripted, { unit: 'frames', part: 'story' })];
  const { frames } = scripted.player;

  it('there is a picture for each frame with its text, and a second one for the answer to a question', () => {
    expect(all).toHaveLength(pictureCount(scripted, { unit: 'frames', part: 'story' }));
    const questions = frames.flatMap(({ scriptFrame: frame }) => frame?.question ?? []);
    expect(questions.length).toBeGreaterThan(0);
    expect(all).toHaveLength(frames.length + questions.length);
    const requests = all.filter(({ options }) => options);
    expect(requests.map(({ answer }) => answer)).toEqual(questions.flatMap(({ answer }) => [undefined, answer]));
    for (const { restMs: rest } of requests) expect(rest).toBe(8000);
    const [first] = all;
    expect(first.words.map(({ text }) => text).join('')).toBe(narrationText(first.scene));
    expect(first.restMs).toBe(restMs({ text: narrationText(first.scene) }));
  });

  it('a picture includes every movement to its frame', () => {
    const moved = frames.findIndex(({ scriptFrame: frame }) => frame && !frame.question && frame.moves.length > 1);
    const { scriptFrame: frame } = frames[moved];
    const picture = all.find(
      ({ words }) =>
        words.map(({ text }) => text).join('') === frame?.narration(scripted.context).text.replaceAll('*', ''),
    );
    expect([...(picture?.transition ?? []), picture].map((shown) => shown?.ms)).toEqual(frame?.moves);
  });

  it('the pictures of a chapter are those of the chapter on the stage', () => {
    const scope = { unit: 'frames', part: 'chapter' } as const;
    const last = onStage('macko', frames.length);
    const title = frames[frames.length - 1].chapter;
    expect(chapterOnStage(last, scope)).toBe(title);
    expect([...exportedPictures(last, scope)].every(({ chapter }) => chapter === title)).toBe(true);
    expect(pictureCount(last, scope)).toBe(frames.filter(({ chapter }) => chapter === title).length);
  });

  it('there is a picture for each step if requested, of the story or of a chapter', () => {
    const story = onStage('csr', null, 1);
    const { timeline } = story;
    const steps = [...exportedPictures(story, { unit: 'steps', part: 'story' })];
    expect(steps).toHaveLength(timeline.a.length);
    expect(steps.map(({ scene }) => narrationText(scene))).toEqual(
      Array.from(timeline.a, (_, tick) => narrationText(story.source.at(tick))),
    );
    const chapter = [...exportedPictures(story, { unit: 'steps', part: 'chapter' })];
    expect(chapter.length).toBeLessThan(steps.length);
    expect(new Set(chapter.map((picture) => picture.chapter))).toEqual(new Set([timeline.chapters[0].title]));
  });

  it('in a story without a script, the transition to a frame shows some of the steps between two frames', () => {
    const story = onStage('csr', 1);
    const pictures = [...exportedPictures(story, { unit: 'frames', part: 'story' })];
    expect(pictures).toHaveLength(story.player.frames.length);
    // The first and the last picture belong to no step.
    expect(pictures[0]).toMatchObject({ chapter: 'Why', scene: { panels: [] } });
    expect(pictures.at(-1)).toMatchObject({ chapter: 'So what', scene: { panels: [] } });
    pictures.slice(1, -1).forEach(({ transition, scene, words }, i) => {
      const { at } = story.player.frames[i + 1];
      const before = story.player.frames[i].at;
      expect(transition.length).toBe(Math.min(12, Math.max(0, at - before - 1)));
      expect(narrationText(scene)).toBe(narrationText(story.source.at(at)));
      expect(words).toEqual(frameWords(scene));
    });
  });

  it('a picture in a file is below its text and the answers to choose from', () => {
    const question = all.find(({ options, answer }) => options && answer !== undefined);
    if (!question) throw new Error('found no question');
    const options = { width: 960, stageHeight: 600, measure: estimateTextWidth };
    const withoutText = layoutScene(question.scene, options);
    const withText = withHeading(withoutText, question, estimateTextWidth);
    const textHeight = withText.height - withoutText.height;
    expect(textHeight).toBeGreaterThan(40);
    for (const { mark, x, y } of withoutText.marks)
      expect(withText.marks.find((placed) => placed.mark.id === mark.id)).toMatchObject({ x, y: y + textHeight });
    for (const [i, link] of withoutText.links.entries()) {
      expect(withText.links[i].start).toEqual([link.start[0], link.start[1] + textHeight]);
      expect(withText.links[i].curves[0][5]).toBe(link.curves[0][5] + textHeight);
    }
    const drawn = withText.marks.filter(({ mark }) => mark.id.startsWith('heading option'));
    expect(drawn.map(({ text }) => text)).toEqual(question.options);
    expect(drawn.map(({ mark: { shape } }) => shape === 'box')).toEqual(
      question.options?.map((_, i) => i === question.answer),
    );
    const words = withText.marks.filter(({ mark }) => /^heading( \d|$)/.test(mark.id)).map(({ text }) => text?.trim());
    expect(words.join(' ').replaceAll(/\s+/g, ' ')).toBe(plainText(question.words).replaceAll(/\s+/g, ' '));
    for (const { y, h } of drawn) expect(y + h).toBeLessThanOrEqual(textHeight + 8.5);
  });
});
