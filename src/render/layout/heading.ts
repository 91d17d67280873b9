import type { Words } from '../../core/text/words.ts';
import type { Drawing, DrawnMark, TextRun } from '../../story/scene.ts';
import type { TextMeasurer } from '../text-measurer.ts';
import { placeDrawing } from './drawing.ts';
import type { LaidOutScene, PlacedLink, PlacedMark, Rect } from './laid-out.ts';
import { MARGIN } from './metrics.ts';

/** The heading of a picture that is saved without its page: a text and, for a question, the answers to choose from. */
export interface Heading {
  readonly words: readonly Words[];
  readonly options?: readonly string[];
  /** index of the right option, which is then filled */
  readonly answer?: number;
}

/** A heading, and the lines below the picture that say what it shows and where it is from. */
export interface Caption extends Heading {
  readonly footer: readonly string[];
}

const HEADLINE_SIZE = 24;
const FOOTER = { size: 12, height: 18 } as const;
const OPTION = { size: 16, height: 36, pad: 20, gap: 12 } as const;
const GAP = 16;

/** The laid-out picture, in unchanged size, below its heading. O(marks). */
export function withHeading(layout: LaidOutScene, heading: Heading, measure: TextMeasurer): LaidOutScene {
  const width = Math.max(1, layout.width - 2 * MARGIN);
  const place = (marks: readonly DrawnMark[]): LaidOutScene => {
    const drawing: Drawing = { width, height: 1, marks };
    return placeDrawing(drawing, { width: layout.width, stageHeight: Number.MAX_SAFE_INTEGER, measure });
  };
  const runs: readonly TextRun[] = heading.words.map(({ text, strong }) => ({ text, ...(strong && { strong }) }));
  const headline: DrawnMark = {
    id: 'heading',
    shape: 'text',
    tone: 'ink',
    size: HEADLINE_SIZE,
    x: 0,
    y: 0,
    w: width,
    h: 0,
    runs,
  };
  const bottomOf = ({ marks }: LaidOutScene): number =>
    marks.reduce((max, { y, h }) => Math.max(max, y + h), 0) - MARGIN;
  const optionsY = bottomOf(place([headline])) + GAP;
  let x = 0;
  const options = (heading.options ?? []).map((text, i): DrawnMark => {
    const w = measure(text, { face: 'sans', px: OPTION.size, strong: true }) + 2 * OPTION.pad;
    const box = { id: `heading option ${i}`, x, y: optionsY, w, h: OPTION.height, text, tone: 'ink' } as const;
    x += w + OPTION.gap;
    const style = { face: 'sans', size: OPTION.size, strong: true } as const;
    return i === heading.answer ? { ...box, ...style, shape: 'box', level: 1 } : { ...box, ...style, shape: 'frame' };
  });
  const head = place([headline, ...options]);
  // A whole px keeps edges sharp.
  return stacked(layout, head, Math.ceil(bottomOf(head) + GAP));
}

/** The laid-out picture between its heading and its footer. O(marks + letters). */
export function withCaption(
  layout: LaidOutScene,
  { footer, ...heading }: Caption,
  measure: TextMeasurer,
): LaidOutScene {
  return withFooter(withHeading(layout, heading, measure), footer, measure);
}

/** The laid-out picture, unchanged, above lines of small text, which are broken where they are too long. O(letters). */
export function withFooter(layout: LaidOutScene, lines: readonly string[], measure: TextMeasurer): LaidOutScene {
  const width = Math.max(1, layout.width - 2 * MARGIN);
  const broken = lines.flatMap((line) => brokenLines(line, width, measure));
  const marks = broken.map((text, i): DrawnMark => {
    const place = { x: 0, y: layout.height + i * FOOTER.height, w: 0, h: FOOTER.height };
    return { id: `footer ${i}`, shape: 'text', tone: 'ink', size: FOOTER.size, ...place, text };
  });
  const drawing: Drawing = { width, height: 1, marks };
  const placed = placeDrawing(drawing, { width: layout.width, stageHeight: Number.MAX_SAFE_INTEGER, measure });
  const height = layout.height + broken.length * FOOTER.height + (broken.length > 0 ? MARGIN : 0);
  return { ...layout, height, marks: [...layout.marks, ...placed.marks] };
}

/** A text in lines of at most `width` px, broken anywhere: an address has no spaces. */
function brokenLines(text: string, width: number, measure: TextMeasurer): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const letter of text) {
    if (line !== '' && measure(line + letter, { face: 'sans', px: FOOTER.size, strong: false }) > width) {
      lines.push(line);
      line = '';
    }
    line += letter;
  }
  return line === '' ? lines : [...lines, line];
}

/** A laid-out picture moved down by `by` px, with the marks of its heading. */
function stacked(layout: LaidOutScene, { marks }: LaidOutScene, by: number): LaidOutScene {
  const down = <T extends Pick<Rect, 'y'>>(placed: T): T => ({ ...placed, y: placed.y + by });
  const point = ([x, y]: readonly [number, number]): [number, number] => [x, y + by];
  return {
    ...layout,
    height: layout.height + by,
    panels: layout.panels.map((panel) => ({
      ...down(panel),
      grid: { ...panel.grid, rows: panel.grid.rows.map(down) },
    })),
    marks: [
      ...marks,
      ...layout.marks.map((mark): PlacedMark => ({
        ...down(mark),
        ...(mark.points && { points: mark.points.map(point) }),
      })),
    ],
    labels: layout.labels.map(down),
    tags: layout.tags.map(down),
    links: layout.links.map((link): PlacedLink => ({
      ...link,
      start: point(link.start),
      curves: link.curves.map(([ax, ay, bx, by2, x, y]) => [ax, ay + by, bx, by2 + by, x, y + by]),
    })),
  };
}
