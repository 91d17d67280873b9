import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defaultParams, storyParams } from '../../src/core/format.ts';
import type { Matrix } from '../../src/core/matrix/index.ts';
import { narrationText, type Scene } from '../../src/story/scene.ts';
import { galleryFilePath, loadGallery } from '../../src/io/gallery.ts';
import { readMatrix } from '../../src/io/read.ts';
import { columnsMatrix } from '../matrices.ts';
import { firstVisitMatrix } from '../shipped.ts';
import { formatsWithStories, type FormatWithStory } from '../stories.ts';

/**
 * Golden test of the story of every format on one small matrix: the text, the outlined and linked marks, and the line of
 * code of each step. `src/formats/contract/story.test.ts` checks the laws of traces on larger matrices and with other
 * parameters. Read a change as a user of the page would; accept it with `npx vitest run --project unit test/golden -u`.
 */

/** The 5 × 32 example of the MACKO authors' test. */
const WINDOW = columnsMatrix(32, [[0, 1, 8, 12, 29], [0, 1, 14, 19], [21], [5], [4, 5, 7, 13, 23, 26, 28, 29, 31]]);

/** Matrices for formats whose special cases do not occur in WINDOW. */
const SPECIAL: Readonly<Record<string, Matrix>> = {
  // Blocks of four rows, of two rows and of one row.
  'ec-csr': columnsMatrix(16, [
    [1, 4, 6, 11],
    [1, 4, 6, 11],
    [1, 4, 6, 11],
    [1, 4, 6, 11, 13],
    [0, 3, 8, 12],
    [0, 3, 8, 12],
  ]),
  // A token with a tile that overflows, and a token with a full tile and an empty tile.
  twell: columnsMatrix(24, [
    [1, 2, 5, 6, 20],
    [3, 8, 9, 12],
  ]),
  // Six weights in a group of eight, two of which move to the next window; and a row with one weight.
  slidesparse: columnsMatrix(16, [[0, 1, 2, 3, 5, 7, 8, 9, 13], [4]]),
};

const site = fileURLToPath(new URL('../../public/', import.meta.url));
const gallery = await loadGallery(async (path) => readFileSync(site + path, 'utf8'));

/** Returns the ids of outlined marks, except those of bytes, which follow from their elements. */
function focusOf(scene: Scene): string {
  const marks = scene.panels.flatMap((panel) => panel.marks);
  return marks
    .filter((mark) => mark.focus && !/ byte \d+$/.test(mark.id))
    .map((mark) => mark.id)
    .join(', ');
}

/** Returns the file and the text of the step's line of code; '' without one. */
function lineOf({ code }: Scene): string {
  return code ? `${code.file}: ${code.lines[code.current].trim()}` : '';
}

const everyStory = await formatsWithStories();

describe('the story that a new user sees first', () => {
  const stageParams = ({ format }: FormatWithStory): object =>
    storyParams<object>(format.params, defaultParams(format.params));

  it('the first story of MACKO, on the first matrix of the gallery, has a gap that needs a stored zero', async () => {
    const formatWithStory = everyStory.find(({ format }) => format.id === 'macko') ?? everyStory[0];
    expect(gallery[0].id).toBe(formatWithStory.format.bestExample.id);
    const window = await firstVisitMatrix(gallery[0].id);
    const trace = formatWithStory.story.trace(window, stageParams(formatWithStory));
    const narrations = trace.steps.map((_, i) => narrationText(formatWithStory.story.scene(trace, i + 1)));
    expect(narrations.filter((text) => text.includes('a zero is stored on the way')).length).toBeGreaterThan(0);
  });

  it.each(everyStory.map((formatWithStory) => [formatWithStory.format.id, formatWithStory] as const))(
    'the first story of %s, on its best example, shows a supported matrix and window',
    async (_, formatWithStory) => {
      const { format, story } = formatWithStory;
      const entry = gallery.find(({ id }) => id === format.bestExample.id) ?? gallery[0];
      const { matrix } = await readMatrix({ name: entry.file, bytes: readFileSync(site + galleryFilePath(entry)) });
      expect(format.admits(matrix, defaultParams(format.params)).ok).toBe(true);
      expect(story.admits(await firstVisitMatrix(entry.id), stageParams(formatWithStory)).ok).toBe(true);
    },
  );

  it('the first story of TwELL shows the first activations in the gallery, which fit their tiles', async () => {
    const formatWithStory = everyStory.find(({ format }) => format.id === 'twell') ?? everyStory[0];
    const first = gallery.find(({ id }) => /gate|activations/.test(id));
    expect(first?.id).toBe(formatWithStory.format.bestExample.id);
  });
});

describe('the golden story of', () => {
  it.each(everyStory.map((formatWithStory) => [formatWithStory.format.id, formatWithStory] as const))(
    '%s',
    async (id, { format, story }) => {
      const params = storyParams<object>(format.params, defaultParams(format.params));
      const trace = story.trace(SPECIAL[id] ?? WINDOW, params);
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
