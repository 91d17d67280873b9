export const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
  'twenty-one',
  'twenty-two',
  'twenty-three',
  'twenty-four',
] as const;

/** Counted, so always several. */
export const FOODS = [
  'apples',
  'plums',
  'cookies',
  'nuts',
  'cherries',
  'pears',
  'strawberries',
  'pancakes',
  'peaches',
  'grapes',
  'carrots',
  'sweets',
  'rolls',
  'tomatoes',
  'eggs',
  'lemons',
  'muffins',
  'figs',
  'walnuts',
  'radishes',
  'raspberries',
  'pretzels',
  'waffles',
  'olives',
] as const;

export const HOW_OFTEN = ['once', 'twice', 'three times', 'four times'] as const;

export interface Riddle {
  readonly asks: string;
  readonly answer: string;
}

const riddle = (text: string): Riddle => {
  const [asks, answer] = text.split('? ');
  return { asks, answer };
};

export const RIDDLES: readonly Riddle[] = [
  'What has hands but cannot clap? A clock',
  'What has teeth but cannot bite? A comb',
  'What gets wetter the more it dries? A towel',
  'What has a neck but no head? A bottle',
  'What goes up but never comes down? Your age',
  'What has one eye but cannot see? A needle',
  'What has legs but cannot walk? A table',
  'What can you catch but never throw? A cold',
  'What runs but has no feet? Water',
  'What has leaves but is not a tree? A book',
  'What flies without wings? Time',
  'What has keys but opens no door? A piano',
  'What belongs to you but is used by others? Your name',
  'What is full of holes but still holds water? A sponge',
  'What has a bed but never sleeps? A river',
  'What has ears but cannot hear? A field of corn',
  'What goes around the yard without moving? A fence',
  'What breaks when you say its name? Silence',
  'What follows you all day and leaves at night? Your shadow',
  'What has a thumb but no bones? A glove',
].map(riddle);

/** What fits under a cup. */
export const PEAS = ['pea', 'nut', 'bean', 'pebble', 'cherry', 'coin', 'raisin', 'pearl'] as const;

export const PETS = [
  'puppy',
  'kitten',
  'rabbit',
  'lamb',
  'duckling',
  'pony',
  'goat',
  'parrot',
  'hamster',
  'piglet',
  'donkey',
] as const;

export const PET_NAMES = [
  'Biscuit',
  'Pepper',
  'Button',
  'Socks',
  'Ginger',
  'Bramble',
  'Pickle',
  'Muffin',
  'Poppy',
  'Whiskers',
  'Thimble',
  'Noodle',
  'Clover',
  'Snowflake',
  'Captain',
  'Bubbles',
  'Domino',
] as const;

export const EVENTS = ['party', 'concert', 'puppet show', 'play', 'picnic', 'race', 'parade', 'circus'] as const;

export const GAMES = [
  'tag',
  'hide and seek',
  'cards',
  'hopscotch',
  'catch',
  'checkers',
  'dominoes',
  'leapfrog',
] as const;

/** At the end of a treasure hunt. */
export const PRIZES = [
  'a bar of chocolate',
  'a bag of sweets',
  'a box of crayons',
  'a picture book',
  'a pot of honey',
  'a paper crown',
  'a plum cake',
  'a magnifying glass',
  'a deck of cards',
  'a silver cup',
  'a tin of biscuits',
  'two tickets to the circus',
  'a book of riddles',
  'a bag of marbles',
  'an ice cream each',
] as const;

/** What comes off when a thing breaks. */
export const PIECES = ['a little piece', 'a corner', 'a small part', 'the bottom', 'one side'] as const;

export const GLUES = ['glue', 'wax', 'string', 'a drop of tar', 'a strip of tape', 'a bit of clay'] as const;

export const BRUSHES = ['a brush', 'an old sponge', 'a toothbrush', 'a rag', 'two fingers'] as const;
