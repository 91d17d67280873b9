import type { Frame, FrameContext } from '../../../core/story/frames.ts';
import type { Drawing } from '../../../core/story/scene.ts';
import { fact, type NamedFact, type Stated, stated } from '../../../core/story/stated.ts';
import { unitText } from '../../../core/story/drawing.ts';
import { listMoves, listPicture } from './script/list.ts';
import { COLUMN_BITS, drawnWeights, obviousPicture } from './script/bits.ts';
import { bytesPicture } from './script/bytes.ts';
import { stepAfter, type Weight, windowFacts, type WindowFacts } from './script/facts.ts';
import { drawnLanes, laneQuestionPicture, lanesPicture } from './script/lanes.ts';
import { firstWeightPicture, nextWeightsPicture } from './script/places.ts';
import { drawing } from '../../../core/story/drawn-rows.ts';
import { patternsPicture, skipsPicture } from './script/skips.ts';
import { GROWTH, verdictPicture, verdictSentence } from './script/verdict.ts';
import { densePicture } from '../../../core/story/dense-picture.ts';
import { longestPicture, widePicture } from './script/wide.ts';
import type { MackoTrace } from './trace.ts';

/**
 * The directed story: most weights are zero, saying where the others are costs as much as they do, columns that are
 * skipped cost less, one skip is too long, all rows make one list, lanes find their columns, and what it is worth.
 */
export function frames(t: MackoTrace): readonly Frame[] {
  const facts = windowFacts(t);
  const { lead, weights } = facts;
  const shown: Frame[] = [
    why(facts),
    ...(lead ? [obvious(facts, lead.row), skips(facts), ...slowWeights(facts, lead.slow)] : []),
    ...(lead ? [longestSkip(facts), tooFar(facts)] : []),
    allRows(facts),
    ...(weights.length > 0 ? [allBytes(facts), ...multiplied(facts)] : []),
    verdict(facts),
  ];
  // What a frame shows may have happened before what the last one showed.
  let step = 0;
  return shown.map((one) => ({ ...one, step: (step = Math.max(step, one.step)) }));
}

type Still = Omit<Frame, 'sentence' | 'draw'>;

/** A frame whose sentence follows from the window alone. */
function frame(
  still: Still,
  sentence: Stated,
  draw: (layout: FrameContext['layout'], picture: number) => Drawing,
): Frame {
  return { ...still, sentence: () => sentence, draw: (picture, { layout }) => draw(layout, picture) };
}

function why(facts: WindowFacts): Frame {
  return frame({ id: 'zeros', chapter: 'Why', step: 0, moves: [0] }, whyText(facts), (layout) =>
    densePicture(facts, layout),
  );
}

function whyText({ weights, t }: WindowFacts): Stated {
  const cells = t.window.rows * t.window.cols;
  const zeros = cells - weights.length;
  if (cells === 0) return stated`This cut has no cells: there is nothing to store.`;
  if (weights.length === 0) return stated`All weights here are zero: only where each row begins is stored.`;
  if (zeros === 0) return stated`No weight here is zero: to say where each one is cannot pay.`;
  const many = 2 * zeros > cells ? 'Most' : 2 * zeros === cells ? 'Half the' : 'Some';
  return stated`${many} weights here are zero. Keep the others, and say where each one is.`;
}

function obvious(facts: WindowFacts, row: number): Frame {
  const drawn = drawnWeights(facts, row);
  const bits = fact('bits of a weight', facts.valueBits);
  const more = fact('bits of a column number', COLUMN_BITS);
  return frame(
    { id: 'column numbers', chapter: 'Why', step: 0, moves: Array.from({ length: drawn }, () => 600) },
    stated`The obvious way: ${bits} bits for the weight, ${more} more for its column number.`,
    (layout, picture) => obviousPicture(facts, layout, row, picture + 1),
  );
}

function skips(facts: WindowFacts): Frame {
  const { weights, maxSkip } = facts;
  const small = weights.filter(({ skip }) => skip <= maxSkip).length;
  const bits = fact('bits of a skip', facts.skipBits, 'word', ['bit', 'bits']);
  const text =
    small === weights.length
      ? stated`Count the empty columns before each weight: a small number.`
      : 2 * small >= weights.length
        ? stated`Count the empty columns before each weight: mostly a small number.`
        : stated`Count the empty columns before each weight: often too many for ${bits}.`;
  return frame({ id: 'skips', chapter: 'Skip', step: 0, moves: [2000, 800, 1000] }, text, (layout, picture) =>
    skipsPicture(facts, layout, picture),
  );
}

const SLOWLY = 'Three weights';

/** A weight as its cell shows it, if that is a plain number. */
function weightWords({ value }: Weight, { unit }: WindowFacts): Stated | null {
  const text = unitText(value, unit);
  if (!/^\u2212?\d+$/.test(text)) return null;
  return stated`${text.startsWith('\u2212') ? '\u2212' : ''}${fact('weight', Math.round(Math.abs(value) * unit.perOne))}`;
}

/** 'No empty column' is one of none. */
function emptyColumns(name: string, skip: number): NamedFact {
  return fact(name, skip, 'Word', ['empty column', skip === 0 ? 'empty column' : 'empty columns']);
}

/** The first weights of a row, one by one. Of fewer than three only the first. */
function slowWeights(facts: WindowFacts, slow: readonly Weight[]): readonly Frame[] {
  const first = slow.at(0);
  if (!first) return [];
  const emitted = (weight: Weight): number =>
    stepAfter(facts, (step) => step.kind === 'emit' && step.entry === weight.entry);
  const empty = emptyColumns('skip', first.skip);
  const weight = weightWords(first, facts);
  const one = frame(
    { id: 'first weight', chapter: SLOWLY, step: emitted(first), moves: [600, 700, 700] },
    weight
      ? stated`${empty} before ${weight}: store ${weight} and the skip ${fact('skip', first.skip)}.`
      : stated`${empty} before the weight: store it and the skip ${fact('skip', first.skip)}.`,
    (layout, picture) => firstWeightPicture(facts, layout, first, picture),
  );
  const [, second, third] = slow;
  if (slow.length < 3) return [one];
  const cost = stated`Each weight costs ${fact('bits of an entry', facts.valueBits + facts.skipBits)} bits.`;
  const [before, skip] = [emptyColumns('second skip', second.skip), fact('second skip', second.skip)];
  const text =
    second.skip === third.skip
      ? stated`${before} before ${second.skip === 0 ? 'either' : 'each'}: skip ${skip} twice. ${cost}`
      : stated`${before}: skip ${skip}. ${thirdWords(third.skip)}: skip ${fact('third skip', third.skip)}. ${cost}`;
  const next = frame(
    { id: 'next weights', chapter: SLOWLY, step: emitted(third), moves: [1400, 500, 1400, 500] },
    text,
    (layout, picture) => nextWeightsPicture(facts, layout, slow, picture),
  );
  return [one, next];
}

function thirdWords(skip: number): Stated | NamedFact {
  return skip === 0 ? stated`None` : fact('third skip', skip, 'Word');
}

function longestSkip(facts: WindowFacts): Frame {
  const { skipBits, maxSkip, wide } = facts;
  const options = [...new Set([2 ** (skipBits - 1), maxSkip, maxSkip + 1, 2 * maxSkip + 1])];
  const patterns = fact('patterns', maxSkip + 1, 'word', ['pattern', 'patterns']);
  const longest = fact('longest skip', maxSkip);
  const rule = stated`${longest}: ${patterns}, from ${fact('first pattern', 0)} to ${longest}.`;
  const because = wide ? stated`${rule} ${beforeWhich(facts)}` : rule;
  return {
    ...frame(
      { id: 'longest skip', chapter: 'Too far', step: 0, moves: [400, 1200] },
      stated`What is the longest skip that ${fact('bits of a skip', skipBits, 'count', ['bit', 'bits'])} can write?`,
      (layout, picture) => patternsPicture(facts, layout, picture > 0),
    ),
    question: { options: options.map(String), answer: options.indexOf(maxSkip), because },
  };
}

/** Where the answer is not enough. */
function beforeWhich({ wide, lead, ofRow }: WindowFacts): Stated {
  if (!wide) return stated``;
  const own = ofRow[wide.row];
  const index = own.findIndex(({ entry }) => entry === wide.entry);
  const isNext = wide.row === lead?.row && index === lead.slow.length;
  const which = index === 0 ? 'the first' : isNext ? 'the next' : 'a';
  const row = fact('row of the long skip', wide.row);
  return stated`But before ${which} weight of row ${row} lie ${fact('long skip', wide.skip)} empty columns.`;
}

function tooFar(facts: WindowFacts): Frame {
  const { wide, longest, maxSkip } = facts;
  const target = wide ?? longest;
  const step = stepAfter(facts, (one) => one.kind === 'emit' && one.entry === target?.entry);
  const still = { id: 'too far', chapter: 'Too far', step };
  const limit = fact('longest skip', maxSkip);
  if (wide)
    return frame({ ...still, moves: [1200, 800, 500, 700] }, wideText(facts), (layout, picture) =>
      widePicture(facts, layout, wide, picture),
    );
  return frame({ ...still, moves: [700] }, stated`No skip here is longer than ${limit}: no zero is needed.`, (layout) =>
    longest ? longestPicture(facts, layout, longest) : drawing(layout, []),
  );
}

function wideText({ wide, skipBits, maxSkip }: WindowFacts): Stated {
  if (!wide) return stated``;
  const limit = fact('longest skip', maxSkip);
  const rest = fact('rest', wide.rest);
  const all = fact('long skip', wide.skip);
  if (wide.zeros > 1)
    return stated`*Skip ${limit} and store a zero ${fact('stored zeros', wide.zeros)} times, then skip ${rest}*: together ${all}.`;
  const bits = fact('bits of a skip', skipBits, 'count', ['bit', 'bits']);
  return stated`${all} columns are too many for ${bits}: *skip ${limit}, store a zero, skip ${rest}*.`;
}

const ALL = 'All rows';
/** Ms that the list rests longer than its words take: there is much to look at. */
const LIST_PAUSE = 2900;

function allRows(facts: WindowFacts): Frame {
  const step = stepAfter(facts, ({ kind }) => kind === 'row-end');
  const text =
    facts.weights.length > 0
      ? stated`All rows follow in one list. Row marks say where each row begins.`
      : stated`Nothing to store; the row marks all say ${fact('places', 0)}.`;
  const still = { id: 'one list', chapter: ALL, step, moves: listMoves(facts), pause: LIST_PAUSE };
  return frame(still, text, (layout, picture) => listPicture(facts, layout, picture));
}

function allBytes(facts: WindowFacts): Frame {
  const step = stepAfter(facts, ({ kind }) => kind === 'word');
  const bytes = fact('bytes', facts.total);
  const dense = fact('dense bytes', facts.dense);
  const hold = stated`*${bytes} bytes* hold what took ${dense}.`;
  const text =
    facts.total < facts.dense
      ? hold
      : facts.total > facts.dense
        ? stated`Here it loses: ${hold}`
        : stated`Here it saves nothing: ${hold}`;
  return frame({ id: 'bytes', chapter: ALL, step, moves: [2500, 1000, 1000] }, text, (layout, picture) =>
    bytesPicture(facts, layout, picture),
  );
}

/** The question where the last lane that is drawn begins, if there are several, and the frame that shows it. */
function multiplied(facts: WindowFacts): readonly Frame[] {
  const { lanes } = facts;
  if (!lanes) return [];
  const drawn = drawnLanes(facts);
  const inRow = (step: { readonly kind: string; readonly row?: number }, kind: string): boolean =>
    step.kind === kind && step.row === lanes.row;
  const chapter = 'Multiply';
  const end = stepAfter(facts, (step) => inRow(step, 'reduce'));
  const shown = frame(
    { id: 'lanes', chapter, step: end, moves: [1000, 1200, 800, 1200, 800] },
    lanesText(facts),
    (layout, picture) => lanesPicture(facts, layout, picture),
  );
  const last = drawn.at(-1);
  if (!last || drawn.length < 2) return [shown];
  const passes = drawn.map((lane, i) => fact(`columns of lane ${i}`, lane.passes));
  const which = stated`Where does lane ${fact('last lane', drawn.length - 1)} begin?`;
  const zero = fact('first lane', 0);
  const text =
    drawn.length === 2
      ? stated`Lane ${zero} passes ${fact('columns of lane 0', drawn[0].passes, 'count', ['column', 'columns'])}. ${which}`
      : stated`Lanes ${zero} and ${fact('lane', 1)} pass ${passes[0]} and ${passes[1]} columns. ${which}`;
  const begin = fact('start of the last lane', last.startsAfter);
  const sum =
    drawn.length === 2 ? stated`${passes[0]} columns lie before it.` : stated`${passes[0]} + ${passes[1]} = ${begin}.`;
  const candidates = [
    ...drawn.slice(1).map(({ passes: columns }) => columns),
    last.startsAfter,
    last.startsAfter + last.passes,
  ];
  const options = [...new Set(candidates)].toSorted((a, b) => a - b);
  const question: Frame = {
    ...frame(
      { id: 'start of a lane', chapter, step: stepAfter(facts, (step) => inRow(step, 'sum')), moves: [600, 1200] },
      text,
      (layout, picture) => laneQuestionPicture(facts, layout, picture > 0),
    ),
    question: {
      options: options.map((column) => `column ${column}`),
      answer: options.indexOf(last.startsAfter),
      because: stated`${sum} Nobody stored ${begin}: the lanes before tell it.`,
    },
  };
  return [question, shown];
}

function lanesText(facts: WindowFacts): Stated {
  const [first, second, third] = drawnLanes(facts);
  if (!second) return stated`One lane holds the whole row: it counts from column ${fact('first column', 0)}.`;
  const one = stated`Lane ${fact('lane', 1)} starts after *${fact('start of lane 1', second.startsAfter)}* columns`;
  if (!third) return stated`${one}: those that lane ${fact('first lane', 0)} passes.`;
  const before = stated`${fact('columns of lane 0', first.passes)} + ${fact('columns of lane 1', second.passes)}`;
  return stated`${one}, lane ${fact('lane', 2)} after ${before} = *${fact('start of lane 2', third.startsAfter)}*.`;
}

function verdict(facts: WindowFacts): Frame {
  return {
    id: 'verdict',
    chapter: 'So what',
    step: facts.t.steps.length,
    moves: GROWTH,
    sentence: (context) => verdictSentence(facts, context),
    draw: (picture, context) => verdictPicture(facts, context, picture),
  };
}
