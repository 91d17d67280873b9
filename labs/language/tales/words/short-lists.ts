// Lists of words for tales, the short stories of a generated grammar on which this lab's language models are
// trained.

import words from './short-lists.json';

/** A riddle that one child asks another. */
export interface Riddle {
  readonly asks: string;
  readonly answer: string;
}

export const RIDDLES: readonly Riddle[] = words.RIDDLES;

/** Lists from which a tale draws words. */
export const {
  NUMBERS,
  // Used with numbers, so always plural.
  FOODS,
  // Things to buy in a shop, named without a number: by the piece, then by weight or measure.
  COUNTED,
  UNCOUNTED,
  HOW_OFTEN,
  // Things that fit under a cup, in a game with three cups.
  PEAS,
  PETS,
  PET_NAMES,
  EVENTS,
  GAMES,
  // Things found at the end of a treasure hunt.
  PRIZES,
  // Parts that come off when a thing breaks.
  PIECES,
  GLUES,
  BRUSHES,
  // Lists from which a tale may take two different words: hobbies, months, professions and clothes.
  HOBBIES,
  MONTHS,
  JOBS,
  WORN,
  // Destinations, landmarks on the way, and left or right.
  GOALS,
  LANDMARKS,
  TURNS,
  // Countries and continents from which letters come.
  LANDS,
} = words;
