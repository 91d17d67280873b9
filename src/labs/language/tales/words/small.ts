import words from './small.json';

export interface Riddle {
  readonly asks: string;
  readonly answer: string;
}

export const RIDDLES: readonly Riddle[] = words.RIDDLES;

/** Lists to draw from. */
export const {
  NUMBERS,
  // Counted, so always several.
  FOODS,
  // What one asks for by the piece in a shop, and without a number.
  COUNTED,
  UNCOUNTED,
  HOW_OFTEN,
  // What fits under a cup.
  PEAS,
  PETS,
  PET_NAMES,
  EVENTS,
  GAMES,
  // At the end of a treasure hunt.
  PRIZES,
  // What comes off when a thing breaks.
  PIECES,
  GLUES,
  BRUSHES,
  // What children like to do, what they may want to be, and what they wear, two of each.
  HOBBIES,
  MONTHS,
  JOBS,
  WORN,
  // Where a person may want to go, and what one passes on the way.
  GOALS,
  LANDMARKS,
  TURNS,
  // Where letters come from.
  LANDS,
} = words;
