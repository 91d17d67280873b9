import { scene as declaredScene } from '../../../../src/story/declared/scene.ts';
import { smallest } from '../../../../src/core/number/statistics.ts';
import type { CodeExcerpt, Panel, Scene } from '../../../../src/story/scene.ts';
import { withArrayNames } from '../user-encoding.ts';
import type { UserFormatTrace } from './trace.ts';

/** The picture after step `number` (0: the start) of the story of a custom format, with code of its module. Pure. */
export function scene(t: UserFormatTrace, number: number, text: string): Scene {
  const { panels, links, narration } = declaredScene(t, number);
  return {
    panels: panels.map(withNames),
    links,
    narration: narration.map((words) => ({ ...words, text: withArrayNames(words.text) })),
    code: number === 0 ? null : codeOf(t, number, text),
  };
}

/** The panel with names of arrays instead of their keys in its texts. */
function withNames(panel: Panel): Panel {
  const { title, rowLabels, marks } = panel;
  return {
    ...panel,
    ...(title !== undefined && { title: withArrayNames(title) }),
    ...(rowLabels && { rowLabels: rowLabels.map((label) => ({ ...label, text: withArrayNames(label.text) })) }),
    marks: marks.map((mark) => (mark.label === undefined ? mark : { ...mark, label: withArrayNames(mark.label) })),
  };
}

/** The line of the module that stored a number in this step, with the lines before and after; null if none did. */
function codeOf(t: UserFormatTrace, number: number, text: string): CodeExcerpt | null {
  const step = t.steps[number - 1].detail;
  if (step.kind !== 'stored') return null;
  const { line } = step;
  const lines = text.split('\n');
  if (line < 1 || line > lines.length) return null;
  const first = Math.max(1, line - 1);
  const excerpt = lines.slice(first - 1, line + 1);
  const indent = smallest(
    excerpt.filter((each) => each.trim() !== '').map((each) => each.length - each.trimStart().length),
  );
  return {
    file: t.format,
    firstLine: first,
    lines: excerpt.map((each) => each.slice(indent)),
    current: line - first,
    currentLine: line,
  };
}
