import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultParams, storyParams } from '../../src/core/format.ts';
import type { Matrix } from '../../src/core/matrix/index.ts';
import { narrationText, type Scene } from '../../src/story/scene.ts';
import { galleryFilePath, loadGallery } from '../../src/io/gallery.ts';
import { readMatrix } from '../../src/io/read.ts';
import { columnsMatrix } from '../matrices.ts';
import { firstLook } from '../shipped.ts';
import { formatsWithStories, type FormatWithStory } from '../stories.ts';

/**
 * The story of every format on one window, step by step: what is said, what is outlined, what is linked, which line runs.
 * The window is the 5 × 32 example of the MACKO authors' test; where that shows nothing of a format, another one is the
 * first look at the matrix that shows it best. Read a change as a reader of the page would, and accept
 * it with `npx vitest run --project unit test/golden -u`.
 */
const WINDOW = columnsMatrix(32, [[0, 1, 8, 12, 29], [0, 1, 14, 19], [21], [5], [4, 5, 7, 13, 23, 26, 28, 29, 31]]);

/** Blocks of rows, values that move to another window, tiles of activations: not on that window. */
const SHOWN_ELSEWHERE = ['ec-csr', 'twell', 'slidesparse'];

const site = fileURLToPath(new URL('../../public/', import.meta.url));
const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));

/** Outlined marks, without the bytes, which follow from their elements. */
function focusOf(scene: Scene): string {
  const marks = scene.panels.flatMap((panel) => panel.marks);
  return marks
    .filter((mark) => mark.focus && !/ byte \d+$/.test(mark.id))
    .map((mark) => mark.id)
    .join(', ');
}

function lineOf({ code }: Scene): string {
  return code ? `${code.file}: ${code.lines[code.current].trim()}` : '';
}

/** A story to tell: with the parameters that a format has on the stage, and some of them changed. */
interface NarratedFormat extends FormatWithStory {
  readonly id: string;
  readonly changes: object;
  readonly window: Matrix;
}

const everyStory = await formatsWithStories();
const stories: NarratedFormat[] = [];
for (const narrated of everyStory) {
  const { id, bestExample } = narrated.format;
  const usual = { ...narrated, id, changes: {}, window: WINDOW };
  stories.push(usual);
  if (id === 'ec-csr') stories.push({ ...usual, id: `${id}-short`, changes: { remainder: 'short-block' } });
  if (SHOWN_ELSEWHERE.includes(id))
    stories.push({ ...usual, id: `${id}-shown-best`, window: await firstLook(bestExample.id) });
}

describe('the first look that a newcomer has', () => {
  const onStage = ({ format }: FormatWithStory): object =>
    storyParams<object>(format.params, defaultParams(format.params));

  it('at MACKO, on the first matrix of the gallery, has a skip that takes a stored zero', async () => {
    const narrated = everyStory.find(({ format }) => format.id === 'macko') ?? everyStory[0];
    expect(gallery[0].id).toBe(narrated.format.bestExample.id);
    const window = await firstLook(gallery[0].id);
    const said = narrated.story.trace(window, onStage(narrated));
    const narrations = said.steps.map((_, i) => narrationText(narrated.story.scene(said, i + 1)));
    expect(narrations.filter((text) => text.includes('a zero is stored on the way')).length).toBeGreaterThan(0);
  });

  it.each(everyStory.map((narrated) => [narrated.format.id, narrated] as const))(
    'at %s, on the matrix that shows it best, is one that it holds, window and all',
    async (_, narrated) => {
      const { format, story } = narrated;
      const entry = gallery.find(({ id }) => id === format.bestExample.id) ?? gallery[0];
      const { matrix } = await readMatrix({ name: entry.file, bytes: readFileSync(site + galleryFilePath(entry)) });
      expect(format.admits(matrix, defaultParams(format.params)).ok).toBe(true);
      expect(story.admits(await firstLook(entry.id), onStage(narrated)).ok).toBe(true);
    },
  );

  it('at activations in the gallery is at those that fit their tiles', async () => {
    const narrated = everyStory.find(({ format }) => format.id === 'twell') ?? everyStory[0];
    const first = gallery.find(({ id }) => /gate|activations/.test(id));
    expect(first?.id).toBe(narrated.format.bestExample.id);
  });
});

describe('the story of', () => {
  it.each(stories.map((narrated) => [narrated.id, narrated] as const))(
    '%s',
    async (id, { format, story, changes, window }) => {
      const params = { ...storyParams<object>(format.params, defaultParams(format.params)), ...changes };
      const trace = story.trace(window, params);
      const lines: string[] = [];
      for (let step = 0; step <= trace.steps.length; step++) {
        const scene = story.scene(trace, step);
        const chapter = trace.chapters.find((c) => c.firstStep + 1 === step);
        if (chapter) lines.push('', `# ${chapter.title}`);
        lines.push('', `${step}. ${narrationText(scene)}`);
        const facts = {
          focus: focusOf(scene),
          links: scene.links.map((link) => `${link.from} -> ${link.to}`).join(', '),
          code: lineOf(scene),
        };
        for (const [name, value] of Object.entries(facts)) if (value) lines.push(`   ${name}: ${value}`);
      }
      await expect(`${lines.join('\n').trim()}\n`).toMatchFileSnapshot(`story-${id}.txt`);
    },
  );
});
