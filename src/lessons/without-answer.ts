import { box, frame, note } from '../story/marks.ts';
import type { PosedQuestion } from '../story/question.ts';
import type { Mark, Panel, Scene } from '../story/scene.ts';
import { countText, type Words } from '../core/text/words.ts';
import type { Figure } from './figure.ts';
import type { FoundQuestion } from './question-search.ts';

/** Units before which numbers are hidden, besides the unit of the question. */
const SIZE_UNITS = ['bytes', 'B', 'cells'];

/** Columns of the strip that represents a hidden number of bytes. */
const STRIP = 32;

const cache = new WeakMap<FoundQuestion, Figure>();

/** The figure of a lesson's question with the answer and its summands hidden. The same object for the same question. */
export function withoutAnswer(foundQuestion: FoundQuestion): Figure {
  const cached = cache.get(foundQuestion);
  if (cached) return cached;
  const { figure, posed } = foundQuestion;
  const { story, trace } = figure.loaded;
  const hide = answerHider(posed);
  const scene: typeof story.scene = (t, step) => hide(story.scene(t, step));
  const hidden = { ...figure, loaded: { story: { ...story, scene }, trace } };
  cache.set(foundQuestion, hidden);
  return hidden;
}

/** A function that hides the answer in a scene: its number becomes '?', and bars as long as the answer are dashed. */
function answerHider({ answer, parts, unit }: PosedQuestion): (scene: Scene) => Scene {
  if (typeof answer !== 'number') return (scene) => scene;
  const hideText = textHider([answer, ...parts], unit);
  const isSize = unit === 'bytes';
  return (scene) => {
    const panels = scene.panels.map((panel) => {
      if (isSize && panel.unit === 'byte') return dashedStrip(panel);
      return isSize && panel.unit === 'bar' ? dashedBars(panel, hideText) : withoutNumbers(panel, hideText);
    });
    const ids = new Set(panels.flatMap(({ marks }) => marks.map(({ id }) => id)));
    return {
      ...scene,
      panels,
      links: scene.links.filter(({ from, to }) => ids.has(from) && ids.has(to)),
      narration: scene.narration.map((word, i) => ({ ...word, text: hideText(word.text, scene.narration[i + 1]) })),
    };
  };
}

/** Replaces numbers before a unit by '?'; `next` is the text that follows, and may begin with the unit. */
type HideText = (text: string, next?: Words) => string;

function textHider(numbers: readonly number[], unit: string | null): HideText {
  const units = [...SIZE_UNITS, ...(unit === null ? [] : [unit])].flatMap((plural) => [
    plural,
    plural.replace(/s$/, ''),
  ]);
  const hidden = [...new Set(numbers)].flatMap((n) => [String(n), countText(n)]).map((n) => n.replaceAll('.', '\\.'));
  const quantity = `(?:${hidden.join('|')})(?=[ \\u202f](?:${units.join('|')})\\b)`;
  // The multiple of dense would reveal it too.
  const ratio = unit === 'bytes' ? '|\\d+\\.\\d+(?= times\\b)' : '';
  const pattern = new RegExp(`(?<![\\w.,\\u202f[])(?:${quantity}${ratio})`, 'g');
  return (text, next) => {
    const after = next?.text ?? '';
    // A number that begins in `text` may have its unit in `after`; numbers in `after` stay.
    const replaced = (text + after).replace(pattern, (found, index: number) => (index < text.length ? '?' : found));
    return replaced.slice(0, replaced.length - after.length);
  };
}

/** The panel with the answer hidden in all its texts. */
function withoutNumbers(panel: Panel, hideText: HideText): Panel {
  const { title, caption, rowLabels } = panel;
  return {
    ...panel,
    ...(title !== undefined && { title: hideText(title) }),
    ...(caption !== undefined && { caption: hideText(caption) }),
    ...(rowLabels && { rowLabels: rowLabels.map((label) => ({ ...label, text: hideText(label.text) })) }),
    marks: panel.marks.map((mark): Mark => {
      const text = mark.text !== undefined && { text: hideText(mark.text) };
      const label = mark.label !== undefined && { label: hideText(mark.label) };
      return { ...mark, ...text, ...label };
    }),
  };
}

/** A panel of bytes as one dashed strip, in which nothing can be counted. */
function dashedStrip(panel: Panel): Panel {
  return {
    ...panel,
    caption: '? bytes',
    columns: STRIP,
    focus: { x: 0, y: 0 },
    marks: [
      frame(`${panel.id} ?`, 0, 0, STRIP, 1, { state: 'ghost', label: `${panel.title ?? panel.id}: how many bytes?` }),
    ],
  };
}

/** A panel of bars as dashed bars of one length, followed by question marks. */
function dashedBars(panel: Panel, hideText: HideText): Panel {
  const words = panel.marks.filter(({ shape }) => shape === 'text');
  const boxes = panel.marks.filter(({ shape }) => shape === 'box');
  const w = boxes.reduce((max, mark) => Math.max(max, mark.x + mark.w), 0);
  const lines = [...new Set(boxes.map(({ y }) => y))];
  return {
    ...withoutNumbers(panel, hideText),
    marks: [
      ...lines.map((y) => box(`${panel.id} ${y} ?`, 0, y, { w, state: 'ghost', label: 'how many bytes?' })),
      ...words.map(({ id, y }) => note(id, w + 1, y, panel.columns - w - 1, '? B')),
    ],
  };
}
