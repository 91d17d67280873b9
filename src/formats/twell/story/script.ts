import type { Frame, FrameContext, FrameQuestion } from '../../../core/story/frames.ts';
import { fact, type NamedFact, type Stated, stated } from '../../../core/story/stated.ts';
import type { Drawing } from '../../../core/story/scene.ts';
import { capitalised } from '../../../core/story/words.ts';
import { capacityOf, slotsOf } from '../params.ts';
import { columnsOfTile, isFullFirst, type Subjects, subjectsOf, type TileRow } from './script-find.ts';
import { another, fourthFires, oneTooManyFired, oneWouldNotFit } from './script-odd.ts';
import { emptyAndFull, packedSlowly } from './script-pack.ts';
import { verdict, verdictPicture } from './script-verdict.ts';
import { ownCells, waiting } from './script-wait.ts';
import { allTiles, numbersLeft } from './script-all.ts';
import { gateInFull, onlyWhatFired, whatIsLeft, workOf } from './script-work.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

/** The directed story: who stores where, and what is not computed any more. */
export function frames(t: TwellTrace): readonly Frame[] {
  const subjects = subjectsOf(t);
  const made = [
    problem(t),
    wait(t, subjects),
    idea(t, subjects),
    slowly(t, subjects),
    both(t, subjects),
    ...odd(t, subjects),
    all(t, subjects),
    ...payoff(t, subjects),
    soWhat(t),
  ].filter((frame) => frame !== null);
  // Tiles are packed in a shuffled order, which the frames do not follow: a frame goes back to no step.
  let step = 0;
  return made.map((frame) => {
    step = Math.max(step, frame.step);
    return { ...frame, step };
  });
}

const ZERO = fact('what ReLU leaves of a number below it', 0);

/** Steps up to the first of this kind, which is then done; 0 if there is none. */
function stepOf({ steps }: TwellTrace, isIt: (step: TwellStep) => boolean): number {
  return steps.findIndex(({ detail }) => isIt(detail)) + 1;
}

/** Steps up to the end of a chapter. */
function endOf({ chapters }: TwellTrace, id: string): number {
  const chapter = chapters.find((one) => one.id === id);
  return chapter ? chapter.firstStep + chapter.stepCount : 0;
}

/** The step that packs a tile. */
function packedAt({ packedAt: at, encoded }: TwellTrace, { row, tile }: TileRow): number {
  return at[row * encoded.tiles + tile];
}

function problem(t: TwellTrace): Frame {
  const { rows, cols, nnz } = t.window;
  const cells = rows * cols;
  return {
    id: 'what ReLU leaves',
    chapter: 'The problem',
    step: 0,
    moves: [1200],
    sentence: () => leftOver(t.negatives, nnz, cells),
    draw: (_, { layout }) => numbersLeft(t, layout),
  };
}

function leftOver(negatives: number, nnz: number, cells: number): Stated {
  const left = fact('non-zeros', nnz);
  const all = fact('numbers', cells);
  if (cells === 0) return stated`No number here: *nothing* for ReLU to turn into ${ZERO}.`;
  const stay = nnz === 1 ? 'stays' : 'stay';
  if (negatives > 0)
    return stated`*${left} of ${all}* numbers are not ${ZERO}: ReLU would turn ${fact('negatives', negatives)} of them into ${ZERO}.`;
  const relu = stated`ReLU turns everything below ${ZERO} into ${ZERO}`;
  if (nnz === 0) return stated`${relu}: here, *none of ${all}* stays.`;
  if (nnz === cells) return stated`${relu}: here, *all ${all}* stay.`;
  return 2 * nnz <= cells
    ? stated`${relu}: only *${left} of ${all}* ${stay}.`
    : stated`${relu}: *${left} of ${all}* stay.`;
}

function wait(t: TwellTrace, { workers }: Subjects): Frame | null {
  if (!workers) return null;
  const values = fact('values of B', workers.count, 'word', ['value', 'values']);
  return {
    id: 'who waits',
    chapter: 'The problem',
    step: stepOf(t, ({ kind }) => kind === 'ell'),
    moves: [700, 1000, 1500, 700],
    sentence: () => stated`B has ${values} to store. Where? *It must wait for A.*`,
    draw: (picture, { layout }) => waiting(t, workers, layout, picture),
  };
}

/** 'three values', 'one value' of what a tile holds. */
function room({ params }: TwellTrace): NamedFact {
  return fact('values that fit', capacityOf(params), 'word', ['value', 'values']);
}

function idea(t: TwellTrace, subjects: Subjects): Frame {
  const { params } = t;
  const cells = fact('cells of a tile', slotsOf(params), 'word', ['cell', 'cells']);
  const own = (): Stated =>
    params.layout === 'split'
      ? stated`Every tile owns *${cells}, and a count elsewhere*. Nobody waits.`
      : stated`Every tile owns *${cells}: one count, ${room(t)}*. Nobody waits.`;
  const { workers } = subjects;
  return {
    id: 'cells of its own',
    chapter: 'The idea',
    step: stepOf(t, (step) => step.kind === 'nothing' || (step.kind === 'gate' && step.about === 'epilogue')),
    moves: workers ? [800, 1200, 900] : [800],
    sentence: own,
    draw: (picture, context) =>
      workers ? ownCells(t, workers, context.layout, picture) : allTiles(t, subjects, [], context, -1),
  };
}

function slowly(t: TwellTrace, { one }: Subjects): Frame | null {
  if (!one) return null;
  const tile = fact('tile in which few fired', one.tile);
  const fired = fact('fired in it', one.count, 'word');
  return {
    id: 'one fired',
    chapter: 'Three tiles, slowly',
    step: packedAt(t, one),
    moves: [700, 700, 400, 400],
    sentence: () =>
      one.count === 1
        ? stated`Tile ${tile}: ${fired} fired. It stores *how many, the value, which neuron*.`
        : stated`Tile ${tile}: ${fired} fired. It stores *how many, the values, which neurons*.`,
    draw: (picture, { layout }) => packedSlowly(t, one, layout, picture),
  };
}

function both(t: TwellTrace, { empty, full }: Subjects): Frame | null {
  const capacity = capacityOf(t.params);
  if (capacity === 0 || (!empty && !full)) return null;
  const fired = fact('fired in the full tile', full?.count ?? 0, 'word');
  const cells = fact('cells that stay empty', capacity, 'word', ['cell stays', 'cells stay']);
  const nobody = stated`Tile ${fact('empty tile', empty?.tile ?? 0)}: nobody fired,`;
  const stays = (isAlone: boolean): Stated =>
    isAlone ? stated`${nobody} *${cells} empty*.` : stated`${nobody} ${cells} empty.`;
  const isFull = fact('full tile', full?.tile ?? 0);
  const fullFirst = isFullFirst({ empty, full });
  return {
    id: 'empty and full',
    chapter: 'Three tiles, slowly',
    step: Math.max(empty ? packedAt(t, empty) : 0, full ? packedAt(t, full) : 0),
    moves: !empty || !full ? [700, 700, 400] : fullFirst ? [700, 700, 400, 400, 400] : [700, 400, 400, 700, 400],
    pause: 600,
    sentence: () => {
      if (!full) return stated`${stays(true)} No tile is full.`;
      if (!empty) return stated`Tile ${isFull}: ${fired} fired, *full*. No tile is empty.`;
      if (fullFirst) return stated`Tile ${isFull}: ${fired} fired, full. ${stays(true)}`;
      return stated`${stays(false)} Tile ${isFull}: ${fired} fired, *full*.`;
    },
    draw: (picture, { layout }) => emptyAndFull(t, { empty, full }, layout, picture),
  };
}

/** The question of one more, and what the format does then. */
function odd(t: TwellTrace, { over, full, fullest }: Subjects): readonly Frame[] {
  const capacity = capacityOf(t.params);
  const { from, to } = columnsOfTile(t, 0);
  if (to - from <= capacity) return [];
  const chapter = 'The odd case';
  const subject = full ?? fullest;
  const step = over ? stepOf(t, (one) => one.kind === 'refuse' && one.row === over.row && one.tile === over.tile) : 0;
  const shown: Frame[] = [];
  if (subject && capacity > 0) {
    const question: FrameQuestion = {
      options: ['the next tile takes it', 'it is lost, silently', 'the format says no'],
      answer: 2,
      because: stated`Other tiles belong to other workers, and nothing may be lost. So the format says no.`,
    };
    shown.push({
      id: 'one more?',
      chapter,
      step: 0,
      moves: [600, 600],
      sentence: () => stated`${capitalised(another(capacity))} neuron fires in one tile. What happens?`,
      question,
      draw: (picture, { layout }) => fourthFires(t, subject, layout, picture),
    });
  }
  const fits = capacity === 1 ? 'fits' : 'fit';
  if (over) {
    const fired = fact('fired in the refused tile', over.count, 'Word');
    const fit = capacity === 0 ? stated`none fits` : stated`${fact('values that fit', capacity, 'word')} ${fits}`;
    shown.push({
      id: 'one too many',
      chapter,
      step,
      moves: [700, 700, 900, 1200],
      pause: 1400,
      sentence: () => stated`${fired} fired, ${fit}: TwELL *refuses the matrix* and names the tile.`,
      draw: (picture, { layout }) => oneTooManyFired(t, over, layout, picture),
    });
  } else if (subject) {
    shown.push({
      id: 'one too many',
      chapter,
      step,
      moves: [700, 900, 1200],
      pause: 1400,
      sentence: () =>
        stated`${fact('values that fit', capacity, 'Word')} ${fits}. ${capitalised(another(capacity))} *would not*.`,
      draw: (picture, { layout }) => oneWouldNotFit(t, subject, layout, picture),
    });
  }
  return shown;
}

function all(t: TwellTrace, subjects: Subjects): Frame | null {
  const { kept, over, one, empty, full } = subjects;
  const { encoded } = t;
  const seen = [one, empty, full].filter((tile) => tile !== null);
  const tiles = fact('stored tiles', kept.length * encoded.tiles, 'count', ['tile', 'tiles']);
  if (tiles.value === 0) return null;
  const values = fact('stored values', encoded.nnz, 'count', ['value', 'values']);
  const isRest = over !== null;
  const are = values.value === 1 ? 'is' : 'are';
  return {
    id: 'all tiles',
    chapter: 'All at once',
    step: endOf(t, 'tiles'),
    moves: [700, 1600],
    sentence: () => {
      if (tiles.value === 1)
        return stated`${isRest ? 'The only other tile' : 'The only tile'} packs by itself: *${values}* ${are} stored.`;
      return stated`${isRest ? 'The other' : 'All'} *${tiles}* pack at the same time: *${values}* ${are} stored.`;
    },
    draw: (picture, context) => allTiles(t, subjects, seen, context, picture),
  };
}

/** Openings of single neurons, before all others at once. */
const MAX_SINGLE = 4;

function payoff(t: TwellTrace, subjects: Subjects): readonly Frame[] {
  const { each, fired, numbers } = workOf(t, subjects);
  if (numbers === 0) return [];
  const chapter = 'The payoff';
  const { kept } = subjects;
  const first = kept.find((row) => t.kept.indptr[row + 1] > t.kept.indptr[row]);
  const single = first === undefined ? 0 : Math.min(MAX_SINGLE, t.kept.indptr[first + 1] - t.kept.indptr[first]);
  const opened = [0, ...Array.from({ length: single }, (_, i) => i + 1), fired, fired];
  const moves = [700, ...Array.from({ length: single }, () => 600), 1000, 900];
  const gate: Frame = {
    id: 'gate in full',
    chapter,
    step: endOf(t, 'overflow'),
    moves: [700, 1500],
    sentence: () =>
      stated`The ${fact('stored numbers', numbers, 'count', ['number', 'numbers'])} came from *gate, computed in full*: a third of the work.`,
    draw: (picture, { layout }) => gateInFull(t, subjects, layout, picture),
  };
  const upDown: Frame = {
    id: 'only what fired',
    chapter,
    step: endOf(t, 'walk'),
    moves: fired === 0 ? [700, 900] : moves,
    sentence: () => {
      if (fired === 0) return stated`Nobody fired: up and down read *no weights at all*.`;
      if (fired === numbers) return stated`All fired: up and down *read all weights*, as dense does.`;
      return stated`Up and down read weights *only for neurons that fired*.`;
    },
    draw: (picture, { layout }): Drawing =>
      fired === 0
        ? onlyWhatFired(t, subjects, layout, { opened: 0, isCounted: picture > 0 })
        : onlyWhatFired(t, subjects, layout, { opened: opened[picture], isCounted: picture === moves.length - 1 }),
  };
  const asked = workQuestion(t, subjects, each > 0 ? fired / numbers : 0);
  return [gate, ...(asked ? [{ ...asked, chapter, step: gate.step }] : []), upDown];
}

/** Null if nothing is skipped, or the answers would be one. */
function workQuestion(
  t: TwellTrace,
  subjects: Subjects,
  share: number,
): Pick<Frame, 'id' | 'moves' | 'sentence' | 'question' | 'draw'> | null {
  const { fired, numbers } = workOf(t, subjects);
  if (fired === numbers) return null;
  const percent = (part: number): number => Math.round(100 * part);
  const left = (1 + 2 * share) / 3;
  const answers = [...new Set([share, left, 1 - share].map(percent))].toSorted((a, b) => a - b);
  if (answers.length < 2) return null;
  const zeros = fact('zeros', numbers - fired);
  return {
    id: 'what is left?',
    moves: [700, 600],
    sentence: () =>
      stated`${zeros} of ${fact('stored numbers', numbers)} numbers ${zeros.value === 1 ? 'is' : 'are'} ${ZERO}. How much of the whole work is left?`,
    question: {
      options: answers.map((answer) => `${answer}\u202f%`),
      answer: answers.indexOf(percent(left)),
      because: stated`Gate in full: ${fact('gate’s share of the work', 100 / 3, 1)} %. Up and down for ${fact('stored values', fired)} of ${fact('stored numbers', numbers)}: ${fact('share of up and down', (200 / 3) * share, 1)} %. Together ${fact('work that is left', 100 * left, 1)} %.`,
    },
    draw: (picture, { layout }) => whatIsLeft(t, subjects, layout, picture),
  };
}

/** Until a press: longer than its words. */
const LAST_PAUSE = 2000;

function soWhat(t: TwellTrace): Frame {
  return {
    id: 'verdict',
    chapter: 'So what',
    step: t.steps.length,
    moves: [600, 900, 900, 500],
    pause: LAST_PAUSE,
    sentence: (context: FrameContext) => verdict(context),
    draw: (picture, context) => verdictPicture(t, context, picture),
  };
}
