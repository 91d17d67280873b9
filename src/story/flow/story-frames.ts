import { finish } from '../../core/job.ts';
import { type DrawingSpace, drawingSize, estimateTextWidth } from '../drawing-space.ts';
import { type Frame, type FrameContext, type FrameSlider, VERDICT, verdictOf } from '../frames.ts';
import type { Shape } from '../../core/format.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../scene.ts';
import type { Stated } from '../../core/text/stated.ts';
import { note, stack } from './parts.ts';
import { drawPicture, type Fit, fitSteps, type Picture } from './picture.ts';
import type { Part } from './layout-space.ts';

/** A frame of a story before layout: a text, and a `Picture`, drawn in as many states as it has `moves`. */
export interface StoryFrame {
  readonly id: string;
  /** as in `Frame` */
  readonly formerIds?: readonly string[];
  readonly chapter: string;
  /** the step of the trace that the frame shows at rest */
  readonly step: number;
  /** ms of the movement to each state of its picture, in order */
  readonly moves: readonly number[];
  text(context: FrameContext): Stated;
  show(context: FrameContext): Picture;
  /** a further text, about the whole matrix */
  also?(context: FrameContext): Stated | null;
  /** the picture of a question before its answer; `show` is the one after it */
  readonly questionPicture?: Picture;
  readonly question?: NonNullable<Frame['question']>;
  /** as in `Frame` */
  readonly hasOwnTimes?: true;
  /** as in `Frame` */
  readonly drawnColumns?: Frame['drawnColumns'];
  /** a slider that changes the picture; text is sized for its first position */
  slider?(context: FrameContext): FrameSlider | null;
}

/** The argument of `storyFrame`: a picture, its text, and their timing. */
interface StoryFrameOptions extends Picture {
  readonly id: string;
  readonly formerIds?: readonly string[];
  readonly chapter: string;
  readonly text: Stated | ((context: FrameContext) => Stated);
  /** a text below the body about the whole matrix; null: nothing is known */
  readonly also?: (context: FrameContext) => Stated | null;
  /** a part above the text about the whole matrix */
  readonly wholeMatrix?: (context: FrameContext) => Part | null;
  /** the step of the trace that the frame shows; default: the step of the frame before */
  readonly step?: number;
  readonly moves?: readonly number[];
}

/**
 * Returns a frame without a question from its text and its picture. `moves`: ms of the movement to each state of
 * the picture; parts by `since(n, part)` (parts.ts) appear in state n.
 */
export function storyFrame({
  id,
  formerIds,
  chapter,
  text,
  also,
  wholeMatrix,
  step = 0,
  moves = [700],
  ...picture
}: StoryFrameOptions): StoryFrame {
  const show = (context: FrameContext): Picture => {
    const alsoText = also?.(context);
    const partsBelow = [wholeMatrix?.(context) ?? [], alsoText ? note('whole matrix', alsoText.text) : []].flat();
    return partsBelow.length > 0 ? { ...picture, body: stack(picture.body, partsBelow) } : picture;
  };
  return {
    id,
    ...(formerIds && { formerIds }),
    chapter,
    step,
    moves,
    text: typeof text === 'function' ? text : () => text,
    show,
    ...(also && { also }),
  };
}

/** Frames that a story has on other matrices: what they show, and what the open one lacks for them. */
export interface AbsentFrames {
  readonly what: string;
  readonly needs: string;
}

/** The frames; a text in the first names the frames that the story leaves out on this matrix, and why. */
export function sayingAbsent(
  [first, ...others]: readonly StoryFrame[],
  absent: readonly (AbsentFrames | null)[],
): readonly StoryFrame[] {
  const texts = absent.flatMap((frames) => (frames ? [`${frames.what} needs ${frames.needs}.`] : []));
  if (texts.length === 0) return [first, ...others];
  const words = note('left out', `Not shown for this matrix: ${texts.join(' ')}`, { size: 'small' });
  const show = (context: FrameContext): Picture => {
    const picture = first.show(context);
    return { ...picture, body: stack(picture.body, words) };
  };
  return [{ ...first, show }, ...others];
}

/** Makes a frame with a question: its picture before the answer, and the changes of the picture afterwards. */
export function questionFrame(
  {
    id,
    chapter,
    text,
    step = 0,
    ...pictureParts
  }: Omit<StoryFrameOptions, 'moves' | 'also' | 'wholeMatrix'> & { readonly text: Stated },
  after: Partial<Picture>,
  question: NonNullable<Frame['question']>,
): StoryFrame {
  const show = (): Picture => ({ ...pictureParts, ...after });
  return { id, chapter, step, moves: [400, 1200], text: () => text, questionPicture: pictureParts, show, question };
}

/** Most drawing spaces (on a page, in a presentation or an export) for which the sizes of pictures are kept. */
const MAX_SPACES = 4;

/** The sizes of all pictures of a story in one space. */
interface CachedFit {
  readonly space: DrawingSpace;
  readonly fit: Fit;
}

/** The picture, with less height if the page shows answers or a slider between text and picture. */
function withSpaceForControls({ question, slider }: StoryFrame, picture: Picture): Picture {
  return question || slider ? { ...picture, control: question ? 'answers' : 'slider' } : picture;
}

/** The pictures of a frame: the question without and with its answer, or the only one. */
interface FramePictures {
  readonly question?: Picture;
  readonly usual: Picture;
}

/** The pictures of a story in one context, and their sizes in the spaces used last. */
class Pictures {
  readonly context: FrameContext;
  readonly #picturesOf: ReadonlyMap<StoryFrame, FramePictures>;
  #fits: readonly CachedFit[] = [];

  /** whether the matrix has few cells, which then fill the space */
  readonly #isSmall: boolean;

  constructor(frames: readonly StoryFrame[], context: FrameContext, isSmall: boolean) {
    this.context = context;
    this.#isSmall = isSmall;
    this.#picturesOf = new Map(frames.map((frame) => [frame, framePictures(frame, context)]));
  }

  /** Whether the pictures are the same in another context. */
  matches({ wholeMatrix, wholeFacts, recordedTimes, ownTimes }: FrameContext): boolean {
    const { context } = this;
    return (
      context.wholeMatrix === wholeMatrix &&
      context.wholeFacts === wholeFacts &&
      context.recordedTimes === recordedTimes &&
      context.ownTimes === ownTimes
    );
  }

  /** `point`: the chosen point of the frame's slider, which changes its picture; absent: none yet. */
  draw(frame: StoryFrame, state: number, space: DrawingSpace, { point }: FrameContext): Drawing {
    const { question, usual } = this.#picturesOf.get(frame) ?? framePictures(frame, this.context);
    const fit = this.#fit(space);
    if (question && state === 0) return drawPicture(question, space, fit, state);
    if (point === undefined || !frame.slider) return drawPicture(usual, space, fit, state);
    const chosen = framePictures(frame, { ...this.context, point }).usual;
    return drawPicture(chosen, space, fit, state, usual);
  }

  /** Finds the sizes of all pictures in a space ahead of `draw`, a step at a time. */
  *fitSteps(space: DrawingSpace): Generator<void, void, void> {
    if (!this.#cachedFit(space)) this.#remember(space, yield* fitSteps(space, this.#pictures(), this.#isSmall));
  }

  #fit(space: DrawingSpace): Fit {
    return this.#cachedFit(space) ?? this.#remember(space, finish(fitSteps(space, this.#pictures(), this.#isSmall)));
  }

  #cachedFit({ width, height, measure }: DrawingSpace): Fit | undefined {
    return this.#fits.find(({ space }) => space.width === width && space.height === height && space.measure === measure)
      ?.fit;
  }

  #remember(space: DrawingSpace, fit: Fit): Fit {
    this.#fits = [{ space, fit }, ...this.#fits].slice(0, MAX_SPACES);
    return fit;
  }

  #pictures(): readonly (readonly Picture[])[] {
    return [...this.#picturesOf.values()].map(({ question, usual }) => (question ? [question, usual] : [usual]));
  }
}

function framePictures(frame: StoryFrame, context: FrameContext): FramePictures {
  const { questionPicture } = frame;
  return {
    usual: withSpaceForControls(frame, frame.show(context)),
    ...(questionPicture && { question: withSpaceForControls(frame, questionPicture) }),
  };
}

/** A picture that is laid out only when it is drawn: in a given space, or in the usual one. */
class LazyDrawing implements Drawing {
  readonly width: number;
  readonly height: number;
  readonly inSpace: (space: DrawingSpace) => Drawing;
  readonly fitSteps: (space: DrawingSpace) => Generator<void, void, void>;
  #usual: Drawing | null = null;

  constructor(
    layout: FrameContext['layout'],
    inSpace: (space: DrawingSpace) => Drawing,
    fitSteps: (space: DrawingSpace) => Generator<void, void, void>,
  ) {
    ({ width: this.width, height: this.height } = drawingSize(layout));
    this.inSpace = inSpace;
    this.fitSteps = fitSteps;
  }

  get marks(): readonly DrawnMark[] {
    return this.#inUsual().marks;
  }

  get links(): readonly DrawnLink[] {
    return this.#inUsual().links ?? [];
  }

  #inUsual(): Drawing {
    return (this.#usual ??= this.inSpace({ width: this.width, height: this.height, measure: estimateTextWidth }));
  }
}

/** A matrix up to this size is small: all its cells are drawn as squares as large as fit. */
const SMALL: Shape = { rows: 8, cols: 8 };

/**
 * The frames of a story as the player shows them: each picture is laid out for the space in which it is drawn.
 * `window`: the size of the part of the matrix that they show.
 */
export function playerFrames(frames: readonly StoryFrame[], window?: Shape): readonly Frame[] {
  const isSmall = window !== undefined && window.rows <= SMALL.rows && window.cols <= SMALL.cols;
  let cached: Pictures | null = null;
  const picturesIn = (context: FrameContext): Pictures => {
    const { point: _, ...still } = context;
    if (!cached?.matches(context)) cached = new Pictures(frames, still, isSmall);
    return cached;
  };
  let step = 0;
  return frames.map((frame): Frame => {
    step = Math.max(step, frame.step);
    return {
      id: frame.id,
      ...(frame.formerIds && { formerIds: frame.formerIds }),
      chapter: frame.chapter,
      step,
      // The last frame reports a rejected matrix.
      narration: (context) => (frame.id === VERDICT ? verdictOf(context, frame.text) : frame.text(context)),
      ...(frame.also && { also: frame.also }),
      moves: frame.moves,
      ...(frame.question && { question: frame.question }),
      ...(frame.hasOwnTimes && { hasOwnTimes: true }),
      ...(frame.drawnColumns && { drawnColumns: frame.drawnColumns }),
      ...(frame.slider && { slider: (context: FrameContext) => frame.slider?.(context) ?? null }),
      draw: (state, context) =>
        new LazyDrawing(
          context.layout,
          (space) => picturesIn(context).draw(frame, state, space, context),
          (space) => picturesIn(context).fitSteps(space),
        ),
    };
  });
}
