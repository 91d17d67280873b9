import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type AnyFormat, type AnyStory, resolvedParams, stageParams, storyExample } from '../src/core/format.ts';
import type { StoredWhole } from '../src/core/encoded/ledger.ts';
import { subMatrix } from '../src/core/matrix/index.ts';
import { checkRecording } from '../src/core/reports/recording-check.ts';
import { wholeReports } from '../src/core/reports/recording.ts';
import type { FrameContext } from '../src/core/story/frames.ts';
import { frameScene, frameWords, restMs, wordCount } from '../src/core/story/frames.ts';
import type { Scene } from '../src/core/story/scene.ts';
import { timelineOf } from '../src/core/story/timeline.ts';
import { formats, referenceFormat } from '../src/formats/registry.ts';
import { galleryFilePath, loadGallery } from '../src/io/gallery.ts';
import { readMatrix } from '../src/io/read.ts';
import { recordedMatrices } from '../src/kit/report/recorded-matrices.ts';
import { DARK, LIGHT, withFormats } from '../src/render/theme.ts';
import { stillOf } from '../src/render/still.ts';

/**
 * `node scripts/run.mjs scripts/draw-frames.ts FORMAT [EXAMPLE] [ROW,COL,ROWS,COLS] [PARAM=VALUE]...`: writes every picture
 * of the format's frames to .cache/frames/FORMAT.html, wide and narrow, light and dark, as a contact sheet.
 */
const [id = '', ...rest] = process.argv.slice(2);
const format: AnyFormat | undefined = formats.find((known) => known.id === id);
if (!format) throw new Error(`found '${id}', expected a format: ${formats.map((known) => known.id).join(', ')}`);
// Bundles for Node leave the stories of cards out.
const { story } = (await import(`../src/formats/${id}/story/index.ts`)) as { story: AnyStory };

const given = rest.filter((arg) => arg.includes('='));
const best = storyExample(format);
const [example = best.id, region] = rest.filter((arg) => !arg.includes('='));
const gallery = await loadGallery(async (path) => readFileSync(`public/${path}`, 'utf8'));
const entry = gallery.find((known) => known.id === example);
if (!entry) throw new Error(`found '${example}', expected an example of public/examples/index.json`);
const { matrix } = await readMatrix({ name: entry.file, bytes: readFileSync(`public/${galleryFilePath(entry)}`) });
const [row, col, rows, cols] = region?.split(',').map(Number) ?? [];
const part = region
  ? { row, col, rows, cols }
  : (entry.window ?? { row: 0, col: 0, rows: matrix.rows, cols: matrix.cols });
const chosen = Object.fromEntries(
  given.map((arg) => {
    const [name, value] = arg.split('=');
    return [name, Number.isNaN(Number(value)) ? value : Number(value)];
  }),
);
const params = resolvedParams(format.params, { ...(example === best.id && best.params), ...chosen }, matrix);
const onStage = stageParams(format.params, params);

const recording = checkRecording('', JSON.parse(readFileSync(newestRecording(), 'utf8')));
const recorded: FrameContext['recorded'] = {
  device: recording.name,
  matrices: recordedMatrices(wholeReports(recording), format, referenceFormat, formats),
};
const cut = subMatrix(matrix, part);
const admission = story.admits(cut, onStage);
if (!admission.ok && story.tracesRefused?.(cut, onStage) !== true) throw new Error(admission.reason);
const trace = story.trace(cut, onStage);
const { frames } = timelineOf({ story, trace });
const whole: StoredWhole | null = !format.admits(matrix, params).ok
  ? null
  : {
      rows: matrix.rows,
      cols: matrix.cols,
      nnz: matrix.nnz,
      params,
      ledger: format.storage(format.encode(matrix, params)),
      reason: null,
    };

const sheet: string[] = [];
for (const [layout, width] of [
  ['wide', 800],
  ['narrow', 358],
] as const) {
  const context: FrameContext = { layout, whole, recorded };
  const add = (head: string, text: string, scenes: readonly Scene[]): void => {
    sheet.push(`<h3>${head}</h3><p>${text.replaceAll(/\*([^*]*)\*/g, '<b>$1</b>')}</p><div>`);
    for (const scene of scenes) {
      for (const theme of [LIGHT, DARK]) {
        const still = stillOf(scene, withFormats(theme, formats), id, width);
        sheet.push(`<img src="${still.source}" width="${still.width}" height="${still.height}">`);
      }
    }
    sheet.push('</div>');
  };
  for (const { directed: frame, chapter, at } of frames) {
    if (frame) {
      const stated = frame.sentence(context);
      const head = `${frame.question ? '?' : ''} ${frame.id} · ${chapter} · step ${at} · ${wordCount(stated)} words, ${restMs(stated, frame.pause)} ms`;
      add(
        head,
        stated.text,
        Array.from(frame.moves, (_, picture) => frameScene(frame, picture, context)),
      );
    } else {
      const scene = story.scene(trace, at);
      const text = frameWords(scene)
        .map((words) => (words.strong ? `*${words.text}*` : words.text))
        .join('');
      add(`${chapter} · step ${at} · ${wordCount({ text })} words, ${restMs({ text })} ms`, text, [scene]);
    }
  }
}
const out = `.cache/frames/${id}.html`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `<style>body{font:15px sans-serif}img{border:1px solid #ccc;margin:4px}</style>${sheet.join('\n')}`);
console.log(`${out}: ${frames.length} frames`);

function newestRecording(): string {
  const { recordings } = JSON.parse(readFileSync('public/recordings/index.json', 'utf8')) as {
    recordings: { id: string }[];
  };
  return `public/recordings/${recordings[0].id}.json`;
}
