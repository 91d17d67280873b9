import { BYTE_CLASSES, type StorageLedger, type StoredWhole } from '../core/encoded/ledger.ts';
import { density } from '../core/matrix/index.ts';
import { firstFrame } from './first-frame.ts';
import { playerFrames, type StoryFrame } from './flow/story-frames.ts';
import type { Frame } from './frames.ts';
import { plainVerdict } from './plain-verdict.ts';
import { MATRIX_PANEL, matrixPanel } from './scene-parts.ts';
import type { Panel, Scene, Mark, Tone } from './scene.ts';
import type { Trace } from './trace.ts';
import { shareText } from '../core/text/rounded.ts';
import { bitsText, bytesText, capitalised, say, strong, type Words } from '../core/text/words.ts';
import { box, note } from './marks.ts';
import { largest } from '../core/number/statistics.ts';

/** The format's part of the opening of its story, the first step of its animation. */
export interface Opening {
  /** the format's name, next to its bar */
  readonly title: string;
  /** the bytes of the window (the part of the matrix that the story shows) in the format, by class */
  ledger(t: Trace): StorageLedger;
  /** the reason for the size of the encoded window, as a clause */
  sizeReason(t: Trace): string;
  /** the kind of matrix; default: weights */
  readonly matrixKind?: 'weights' | 'activations';
  /** For a story without a script (frames written one by one): how it treats zeros, in at most nine words. */
  readonly aboutZeros?: string;
  /** whether the format is dense itself, which others are compared with */
  readonly isReference?: boolean;
}

/** The sizes of a matrix. */
type Counts = Pick<StoredWhole, 'rows' | 'cols' | 'nnz'>;

/** Rows of the window that are shown above the bars. */
const ROWS_SHOWN = 12;

/** The member of a story that `withOpening` changes. */
interface SceneMember<D> {
  scene(t: Trace<D>, step: number): Scene;
}

/** The members of a story that `withOpening` adds or replaces. */
interface AddedMembers<D> {
  ledger(t: Trace): StorageLedger;
  ends?(t: Trace): readonly [first: Frame, last: Frame];
  scene(t: Trace<D>, step: number, wholeMatrix?: StoredWhole): Scene;
}

/**
 * The story with an opening as its step 0: the reason why bytes matter, the bytes of dense and of the format, for the
 * matrix and for the window, and the format's own words. A window without cells keeps the format's own step 0. A story
 * without a script also gets the first and last frame that every format has.
 */
export function withOpening<D, S extends SceneMember<D>>(
  story: S & SceneMember<D>,
  opening: Opening,
): S & AddedMembers<D> {
  return {
    ...story,
    ledger: (t) => opening.ledger(t),
    ...(opening.aboutZeros !== undefined && {
      ends: (t: Trace) => {
        const [first, last] = playerFrames(endFrames(t, opening), t.window);
        return [first, last];
      },
    }),
    scene: (t: Trace<D>, step: number, wholeMatrix?: StoredWhole) =>
      step === 0 ? openingScene(story.scene(t, 0), t, opening, wholeMatrix) : story.scene(t, step),
  };
}

/** The first frame of a story (zeros, and the bytes of dense) and its last (bytes and times of the format). O(effects). */
export function endFrames(t: Trace, opening: Opening): readonly [first: StoryFrame, last: StoryFrame] {
  const { title, aboutZeros = '', matrixKind, isReference = false } = opening;
  const ledger = opening.ledger(t);
  const cellNoun = matrixKind === 'activations' ? 'activation' : 'weight';
  const format = { title, cellNoun, ledger, reason: opening.sizeReason(t), isReference } as const;
  return [firstFrame(t, ledger, { cellNoun, aboutZeros }), plainVerdict(t, format)];
}

/** Step 0 of a story: `scene`, the step 0 of the format, with the bars of bytes and the text on why bytes matter. */
function openingScene(scene: Scene, t: Trace, opening: Opening, wholeMatrix: StoredWhole | undefined): Scene {
  const ledger = opening.ledger(t);
  if (ledger.effectiveDensity === 0) return scene;
  const formatPanel = scene.panels.find(({ id }) => id === MATRIX_PANEL);
  const { band: _, ...panel } = formatPanel ?? matrixPanel(t.window, { row: 0, rowsShown: ROWS_SHOWN });
  // Lines that the format keeps free for later steps would separate cells and bars.
  const rows = panel.marks.reduce((max, { y, h }) => Math.max(max, y + h), panel.grid?.rows ?? 1);
  const matrix = { ...panel, rows };
  return {
    ...scene,
    panels: [matrix, ...bytesPanels(t, ledger, opening, wholeMatrix)],
    links: [],
    narration: [...whyBytes(opening.matrixKind ?? 'weights'), ...scene.narration],
  };
}

/** The text on why bytes decide the time of the format. */
function whyBytes(matrixKind: 'weights' | 'activations'): readonly Words[] {
  return matrixKind === 'weights'
    ? say`To write one token, the GPU reads every weight once. ${FEWER_BYTES} `
    : say`Each zero activation saves weights. ${FEWER_BYTES} `;
}

const FEWER_BYTES = strong('Fewer bytes, less time.');
const TO_READ = 'bytes to read';
const EVERY_CELL = 'every cell';

/**
 * The bytes of the matrix, then the bytes of the window, which alone mean little for a matrix: each for all cells and
 * for the format. Panel ids 'bytes to read' and 'bytes of the window'.
 */
function bytesPanels(
  t: Trace,
  ledger: StorageLedger,
  opening: Opening,
  wholeMatrix: StoredWhole | undefined,
): readonly Panel[] {
  const { rows, cols } = t.window;
  const isPart =
    wholeMatrix !== undefined &&
    (wholeMatrix.rows > rows || wholeMatrix.cols > cols) &&
    wholeMatrix.ledger.effectiveDensity > 0;
  if (!isPart) {
    const caption = capitalised(opening.sizeReason(t));
    return [barsPanel({ bars: bars('', opening.title, ledger, t.window), id: TO_READ, title: TO_READ, caption })];
  }
  return [
    barsPanel({
      bars: bars('', opening.title, wholeMatrix.ledger, wholeMatrix),
      id: TO_READ,
      title: TO_READ,
      ...(wholeMatrix.reason !== null && { caption: capitalised(wholeMatrix.reason) }),
    }),
    barsPanel({
      bars: bars('window ', opening.title, ledger, t.window),
      id: 'bytes of the window',
      title: 'this window alone',
      caption: windowReason(ledger, t.window, wholeMatrix),
    }),
  ];
}

/** If the densities of window and matrix differ by more than this factor, the difference is given as the reason. */
const CLEAR_RATIO = 1.1;

/** The size of a window relative to dense, and why the ratio differs from the ratio of the whole matrix. */
function windowReason(ledger: StorageLedger, window: Counts, wholeMatrix: StoredWhole): string {
  const [ofWindow, ofMatrix] = [ledger, wholeMatrix.ledger].map(({ effectiveDensity }) => effectiveDensity);
  const shares = `${shareText(ofWindow)} of dense, against ${shareText(ofMatrix)} for the matrix`;
  const densityRatio = density(window) / Math.max(density(wholeMatrix), Number.EPSILON);
  if (ofWindow > ofMatrix) {
    return densityRatio > CLEAR_RATIO
      ? `${shares}: this window is fuller`
      : `${shares}: in few cells, each row costs more`;
  }
  return ofWindow < ofMatrix && densityRatio < 1 / CLEAR_RATIO ? `${shares}: this window is emptier` : shares;
}

/** One bar each for all cells and for the format. */
function bars(
  prefix: string,
  title: string,
  { totalBits, totalBytes, effectiveDensity }: StorageLedger,
  { rows, cols, nnz }: Counts,
): readonly Bar[] {
  const dense = Math.round(totalBytes / effectiveDensity);
  const values = (dense * nnz) / (rows * cols);
  const denseBar: Bar = {
    id: `${prefix}dense bytes`,
    label: EVERY_CELL,
    parts: [
      { value: values, tone: 'values', label: `${EVERY_CELL}, non-zeros: ${bytesText(values)}` },
      { value: dense - values, tone: 'padding', label: `${EVERY_CELL}, zeros: ${bytesText(dense - values)}` },
    ],
    words: bytesText(dense),
  };
  const formatBar: Bar = {
    id: `${prefix}stored bytes`,
    label: title,
    strong: true,
    parts: BYTE_CLASSES.map((byteClass) => ({
      value: totalBits[byteClass] / 8,
      tone: byteClass,
      label: `${title}, ${byteClass}: ${totalBits[byteClass] < 8e6 ? bitsText(totalBits[byteClass]) : bytesText(totalBits[byteClass] / 8)}`,
    })),
    words: bytesText(totalBytes),
  };
  return [denseBar, formatBar];
}

/** Width of the panel, in columns of its grid. */
const WIDTH = 100;
/** Share of the width for the longest bar; the rest is for the text after it. */
const LONGEST = 0.65;
/** Distance from one bar to the next, in rows. */
const LINE = 1.25;

/** One bar of the panel, made of segments. */
interface Bar {
  readonly id: string;
  readonly label: string;
  /** segments, left to right */
  readonly parts: readonly { readonly value: number; readonly tone: Tone; readonly label?: string }[];
  /** text after the bar */
  readonly words: string;
  readonly strong?: boolean;
}

interface BarsOptions {
  readonly id: string;
  readonly title: string;
  readonly caption?: string;
  readonly bars: readonly Bar[];
}

/** A panel of a story with horizontal bars, all to one scale, and a text after each. */
function barsPanel({ id, title, caption, bars }: BarsOptions): Panel {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const scale = (WIDTH * LONGEST) / largest(totals, 1e-9);
  const marks = bars.flatMap((bar, line): Mark[] => {
    const y = line * LINE;
    let x = 0;
    const boxes = bar.parts.flatMap(({ value, tone, label }, number): Mark[] => {
      const w = value * scale;
      if (w === 0) return [];
      const part = box(`${bar.id} ${number}`, x, y, {
        w: Math.max(w, 0.1),
        tone,
        level: 1,
        label: label ?? `${bar.label}: ${bar.words}`,
      });
      x += w;
      return [part];
    });
    const text = note(`${bar.id} words`, x + 1, y, WIDTH * (1 - LONGEST) - 1, bar.words);
    return [...boxes, text];
  });
  return {
    id,
    title,
    unit: 'bar',
    columns: WIDTH,
    rows: Math.max(1, bars.length * LINE),
    rowLabels: bars.map(({ label, strong }, line) => ({ at: line * LINE, text: label, ...(strong ? { strong } : {}) })),
    marks,
    ...(caption === undefined ? {} : { caption }),
  };
}
