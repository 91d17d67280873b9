// The story of training: its texts and its question.

import { largest } from '../../../../src/core/number/statistics.ts';
import { type DrawingLayout, drawingSize } from '../../../../src/story/drawing-space.ts';
import { type Frame, restMs, wordsOf } from '../../../../src/story/frames.ts';
import { shareText } from '../../../../src/core/text/rounded.ts';
import type { Drawing, DrawnMark, Tone } from '../../../../src/story/scene.ts';
import { fact, numberText, type Stated } from '../../../../src/core/text/stated.ts';
import { countText } from '../../../../src/core/text/words.ts';
import type { PageStory } from '../../../../src/kit/page-parts.ts';
import { BATCH, SIZES, STEPS, STEPS_PER_POINT } from '../../theory/run.ts';
import { runWith } from '../recorded-runs.ts';
import { counter, drawing, GUTTER, textMark } from './drawing.ts';
import script from './frames.json';
import recorded from './recorded.json';

// The training story, from recorded data of an image (`label`: its digit) before and after training, and of a neuron.
// `start`, `end`: the network before and after training; `track`: one neuron over all steps; `free`: a digit for each neuron
// of the network trained without L1, 0 if it does not fire for the image.
const { label, start, track, end, free: firedWithoutL1 } = recorded;
/** Height of a title above what it names, in points. */
const TITLE_HEIGHT = 24;
const L1 = 0.03;
const [WITHOUT_L1, WITH_L1] = [runWith(0).test, runWith(L1).test];
const NEURONS = countText(SIZES.hidden);
/** The neurons that fire for the image after training. */
const FIRED = Array.from(end.fired, Number).flatMap((level, n) => (level > 0 ? [n] : []));
const DANGER = { tone: 'danger', size: 12 } as const;
const OUTLINE = { shape: 'frame' } as const;

type Box = readonly [x: number, y: number, w: number, h: number];
/** Returns a mark of a rectangle with this position and size, in points. */
function box(id: string, tone: Tone, [x, y, w, h]: Box, more: Partial<DrawnMark> = {}): DrawnMark {
  return { id, shape: 'box', level: 1, tone, x, y, w, h, ...more };
}
const decimal = (value: number): string => value.toFixed(2).replace('-', '\u2212'); // '0.25', '−0.25'
/** A value behind a gate, in a box: 0 if the gate is closed. */
const gatedValue = (id: string, position: Box, value: number): DrawnMark =>
  box(id, 'values', position, { level: value > 0 ? 1 : 0, text: value > 0 ? decimal(value) : '0' });
/** The title of a part of a drawing. */
const title = (x: number, y: number, text: string): DrawnMark =>
  textMark(text, { x, y }, text, { size: 12, strong: true, tone: 'ink' });
/** The marks if `isShown`, otherwise none. */
const marksIf = (isShown: boolean, ...marks: readonly (DrawnMark | readonly DrawnMark[])[]) =>
  isShown ? marks.flat() : [];

/** Where a grid is drawn: its left end, the pitch of its cells in points, and cells in a row. */
type GridPosition = readonly [x: number, pitch: number, cols: number];

/** A titled grid. `levels`: a character 0 to 9 for each cell, the higher, the darker; cells of 0 and 1 stay empty. */
function grid(id: string, tone: Tone, levels: string, [x, pitch, cols]: GridPosition, name: string) {
  const size: Box = [x - 1, TITLE_HEIGHT - 1, cols * pitch + 1, (levels.length / cols) * pitch + 1];
  const filled = Array.from(levels, Number).flatMap((level, i) => {
    const cell: Box = [x + (i % cols) * pitch, TITLE_HEIGHT + Math.floor(i / cols) * pitch, pitch - 1, pitch - 1];
    return marksIf(
      level > 1,
      box(`${id} ${i}`, tone, cell, { level: level / 9, label: `${id.replace(/ .*/, '')} ${i}` }),
    );
  });
  return [title(x, 0, name), box(`${id} frame`, 'neutral', size, OUTLINE), ...filled];
}
/** The number of neurons that fire; `fired` has a digit for each neuron, 0 if it does not. */
const countFired = (fired: string): number => Array.from(fired).filter((level) => level > '0').length;

/** The test image as a grid of its pixels. */
const image = (pitch: number) => grid('pixel', 'ink', recorded.pixels, [1, pitch, 16], `one image: a ${label}`);

/** A bar of a count and its total, below the drawing. */
const meter = (layout: DrawingLayout, name: string, value: number, max: number, unit: string) =>
  counter(layout, { title: name, parts: [{ tone: 'values', value }], max, number: countText(value), unit });

/** The image as x, then sums of neurons, then what their gates pass; `shownParts` of them after the image. */
function neuronDrawing(layout: DrawingLayout, shownParts: number): Drawing {
  // The pitch of pixels, the left end of the grid of x, and the left end, top and line height of the neurons.
  const { pitch, xLeft, left, top, line } =
    layout === 'wide'
      ? { pitch: 11, xLeft: 220, left: 380, top: 24, line: 30 }
      : { pitch: 8, xLeft: 160, left: 0, top: 180, line: 32 };
  const rows = start.neurons.flatMap(({ neuron, sum }, i) => {
    const y = top + i * line;
    return [
      textMark(`neuron ${neuron}`, { x: left, y: y + 4 }, `neuron ${neuron}`),
      ...marksIf(
        shownParts > 1,
        box(`sum ${neuron}`, 'neutral', [left + 96, y, 90, 26], { level: 0, text: decimal(sum) }),
      ),
      ...marksIf(shownParts > 2, gatedValue(`gate ${neuron}`, [left + 200, y, 90, 26], sum)),
    ];
  });
  const firedCount = countFired(start.fired);
  return drawing(layout, [
    image(pitch),
    marksIf(shownParts > 0, grid('x', 'ink', recorded.x, [xLeft, pitch, 8], `x: ${SIZES.model} numbers`)),
    marksIf(shownParts > 1, title(left + 96, top - TITLE_HEIGHT, 'x · w')),
    marksIf(
      shownParts > 2,
      title(left + 200, top - TITLE_HEIGHT, 'gate'),
      meter(layout, 'fire', firedCount, SIZES.hidden, `of ${NEURONS}`),
    ),
    rows,
  ]);
}

/** Both parts of the loss of the image, before training. */
function lossDrawing(layout: DrawingLayout): Drawing {
  const [pitch, top] = layout === 'wide' ? [110, 184] : [57, 204];
  const [chance, l1Loss] = [shareText(Math.exp(-start.loss)), L1 * start.sum];
  // A second decimal would suggest too much precision for the loss of a guess.
  const [loss, lossWithL1] = [start.loss.toFixed(1), (start.loss + l1Loss).toFixed(1)];
  const answerPart = { tone: 'ink', value: start.loss, label: `wrong answers ${loss}` } as const;
  const l1Part = { tone: 'values', value: l1Loss, label: `L1 ${decimal(l1Loss)}` } as const;
  const max = start.loss + l1Loss;
  const l1Text = `${L1} × ${decimal(start.sum)} = ${decimal(l1Loss)}`;
  return drawing(layout, [
    image(6),
    textMark('chance', { x: 116, y: 34 }, `the network assigns ${chance}`, { size: 14 }),
    textMark('log', { x: 116, y: 66 }, `\u2212ln ${chance} = ${loss}`, { size: 18, tone: 'ink' }),
    title(0, top - TITLE_HEIGHT, `L1: the sum of |h| of all ${NEURONS} neurons, h = gate × up`),
    start.neurons.map(({ neuron, sum, up }, i) =>
      gatedValue(`gate ${neuron}`, [i * pitch, top, pitch - 3, 26], Math.max(0, sum) * Math.abs(up)),
    ),
    textMark('sum', { x: 0, y: top + 42 }, l1Text, { size: 18, tone: 'values' }),
    counter(layout, { title: 'loss', parts: [answerPart, l1Part], max, number: lossWithL1, unit: 'before training' }),
  ]);
}

/** Where bars are drawn: left end, pitch, y of their line, points per unit. */
type BarsPosition = readonly [left: number, pitch: number, base: number, scale: number];

/** Values by step as bars on a line, hatched below it. */
function bars(values: readonly number[], steps: number, [left, pitch, base, scale]: BarsPosition, name: string) {
  const marks = values.flatMap((value, i) => {
    const bar: Box = [left + i * pitch, base - Math.max(0, value * scale), pitch * 0.8, Math.abs(value) * scale];
    const style = { level: value > 0 ? 1 : 0, label: String(value) };
    return marksIf(value !== 0, box(`bar ${i}`, value > 0 ? 'values' : 'padding', bar, style));
  });
  const line = box('line', 'ink', [left, base, steps * pitch, 0], { shape: 'line' });
  const firstText = String(Number(values[0].toFixed(2)));
  return [
    title(left, 0, name),
    line,
    ...marks,
    textMark('first', { x: left, y: base - values[0] * scale - 20 }, firstText),
  ];
}

/** The first step at which the neuron's gate is 0 for the image. */
const CLOSED = track.sums.findIndex((sum) => sum <= 0);

/** The sum of one neuron by steps, and the pull of L1 on the values that its gate passes. */
function pullDrawing(layout: DrawingLayout, visibleSteps: number, hasPulls: boolean): Drawing {
  const position: BarsPosition = layout === 'wide' ? [GUTTER, 16.5, 180, 240] : [0, 8.2, 190, 260];
  const [[left, pitch, base], steps] = [position, track.sums.length];
  const name = `x · w of neuron ${track.neuron} for this ${label}, steps 0 to ${steps - 1}`;
  const closedPosition = { x: left + CLOSED * pitch, y: base - 60, w: 16 * pitch };
  const pulls = track.sums.slice(0, CLOSED);
  return drawing(layout, [
    bars(track.sums.slice(0, visibleSteps), steps, position, name),
    marksIf(
      visibleSteps > CLOSED,
      textMark('closed', closedPosition, `below 0 from step ${CLOSED} on: gate 0`, DANGER),
    ),
    marksIf(
      hasPulls,
      pulls.map((_, i) => box(`pull ${i}`, 'danger', [left + i * pitch, base + 54, pitch * 0.8, 26])),
      title(left, base + 32, `L1 pulls at |h| with ${L1} as long as it fires`),
    ),
  ]);
}

/** The number of images for which the neuron fires, by steps to the end. */
function deadDrawing(layout: DrawingLayout, shownParts: number): Drawing {
  const position: BarsPosition = layout === 'wide' ? [GUTTER, 6.6, 220, 11] : [0, 3.3, 270, 15];
  const [[left, pitch, base], { firing, lastFired }] = [position, track];
  const xOf = (step: number): number => left + (step / STEPS_PER_POINT) * pitch;
  const sinceText = `fired last at step ${lastFired}: for none of ${countText((STEPS - lastFired) * BATCH)} images since`;
  const name = `for how many of ${BATCH} images neuron ${track.neuron} fires, by step`;
  return drawing(layout, [
    bars(shownParts > 0 ? firing : firing.slice(0, 12), firing.length, position, name),
    [0, 100, 200, 300, 400].map((step) => textMark(`at ${step}`, { x: xOf(step), y: base + 6 }, String(step))),
    marksIf(shownParts > 0, textMark('since', { x: xOf(lastFired) + 8, y: base - 64, w: 250 }, sinceText, DANGER)),
    marksIf(shownParts > 0, box('last', 'danger', [xOf(lastFired), base - 64, 1, 64])),
  ]);
}

/** All neurons as squares, without L1 and with it: those that fire for the image are filled. */
function remainingDrawing(layout: DrawingLayout, shownParts: number): Drawing {
  const [pitch, sideDistance] = layout === 'wide' ? [8, 400] : [5, 178];
  const side = (x: number, name: string, fired: string, { accuracy }: { readonly accuracy: number }) => {
    const count = countFired(fired);
    const [y, accuracyText] = [32 + 32 * pitch, `${(100 * accuracy).toFixed(1)}\u202f% of all images right`];
    const countMark = textMark(`count ${x}`, { x, y }, `this ${label}: ${count} fire`);
    return [
      ...grid(`neuron ${x}`, 'values', fired, [x + 1, pitch, 32], name),
      countMark,
      textMark(accuracyText, { x, y: y + 20 }, accuracyText),
    ];
  };
  return drawing(layout, [
    side(0, 'without L1', firedWithoutL1, WITHOUT_L1),
    marksIf(shownParts > 0, side(sideDistance, `with L1 ${L1}`, end.fired, WITH_L1)),
  ]);
}

/** Multiply-adds of the block for the image: of three whole matrices, and with up and down for neurons that fire. */
const FULL_MULTIPLY_ADDS = 3 * SIZES.model * SIZES.hidden;
const MULTIPLY_ADDS = SIZES.model * (SIZES.hidden + 2 * FIRED.length);

/** The matrices of the block, a column for each neuron: all columns of the gate, of up and down those that fire. */
function workDrawing(layout: DrawingLayout, shownParts: number): Drawing {
  const [left, width, pitch] = layout === 'wide' ? [GUTTER, 690, 92] : [0, drawingSize('narrow').width, 124];
  const gate = `gate: all ${NEURONS} columns, to know which fire`;
  const names = [gate, 'up: those that fire', 'down, transposed: their rows'];
  const matrices = names.slice(0, shownParts + 1).flatMap((name, m) => {
    const [y, h] = [24 + m * pitch, pitch - 32];
    const columns = FIRED.map((n) => box(`${m} ${n}`, 'values', [left + (n / SIZES.hidden) * width, y, 3, h]));
    const outline: Box = [left, y, width, h];
    const matrixMark = m > 0 ? box(`matrix ${m}`, 'neutral', outline, OUTLINE) : box('matrix', 'values', outline);
    return [title(left, y - 22, name), matrixMark, ...marksIf(m > 0, columns)];
  });
  const unit = `of ${countText(FULL_MULTIPLY_ADDS)} multiply-adds`;
  return drawing(layout, [
    matrices,
    marksIf(shownParts > 1, meter(layout, 'work', MULTIPLY_ADDS, FULL_MULTIPLY_ADDS, unit)),
  ]);
}

/** The numbers that the texts of frames.json name in braces. */
const FACTS = [
  fact('neurons', SIZES.hidden),
  fact('coefficient', L1, 2),
  fact('mean with L1', WITH_L1.mean, 1),
  fact('mean without L1', WITHOUT_L1.mean, 0),
  fact('right with L1', 100 * WITH_L1.accuracy, 1),
  fact('right without L1', 100 * WITHOUT_L1.accuracy, 1),
  fact('fired', FIRED.length),
  fact('work', MULTIPLY_ADDS / FULL_MULTIPLY_ADDS, 'share'),
];

/** A text of frames.json with its numbers. */
function statedOf(text: string): Stated {
  const facts = FACTS.filter(({ name }) => text.includes(`{${name}}`));
  return { text: facts.reduce((message, fact) => message.replaceAll(`{${fact.name}}`, numberText(fact)), text), facts };
}

/** The function that draws each frame, by its id; `shownParts`: how many of its parts are shown after the first. */
const DRAWINGS: Readonly<Record<string, (layout: DrawingLayout, shownParts: number) => Drawing>> = {
  neuron: neuronDrawing,
  loss: lossDrawing,
  'pull question': (layout, shownParts) => pullDrawing(layout, CLOSED, shownParts > 0),
  pull: (layout, shownParts) => pullDrawing(layout, shownParts > 0 ? track.sums.length : CLOSED, true),
  dead: deadDrawing,
  remaining: remainingDrawing,
  work: workDrawing,
};

/** Height that words may take below the position of their mark, in points. */
const WORDS_BELOW = 24;

/** A question's drawing before (0) or after (1) its answer, equally high, so that the answers below it do not move. */
function questionDrawing(id: string, layout: DrawingLayout, shownParts: number): Drawing {
  const bottoms = [0, 1].flatMap((part) => DRAWINGS[id](layout, part).marks.map(({ y, h }) => y + h));
  const { marks, height } = DRAWINGS[id](layout, shownParts);
  return drawing(layout, marks, Math.min(height, largest(bottoms, 0) + WORDS_BELOW));
}

/** The frames of the story: six, and a question. */
export const FRAMES: readonly Frame[] = script.frames.map(({ text, question, ...frame }) => ({
  ...frame,
  narration: () => statedOf(text),
  draw: (shownParts, { layout }) =>
    question ? questionDrawing(frame.id, layout, shownParts) : DRAWINGS[frame.id](layout, shownParts),
  ...(question && { question: { ...question, because: statedOf(question.because) } }),
}));

const withoutQuestions = script.frames.filter(({ question }) => question === undefined);

/** The story of the page Training as the player needs it. */
export const STORY: PageStory = {
  title: 'Where do zeros come from?',
  description: `a test image, and the recorded run with L1 ${L1}`,
  opening: 0,
  stepCount: withoutQuestions.length - 1,
  chapters: script.chapters,
  frames: FRAMES.map((frame) => ({ at: frame.step, chapter: frame.chapter, scriptFrame: frame })),
  restMs: (index) => restMs(statedOf(script.frames[index].text)),
  words: (step) => wordsOf(statedOf(withoutQuestions[step].text)),
};
