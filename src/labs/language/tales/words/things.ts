/**
 * What may happen to a thing, a letter each: r rolls, w is carried by the wind, s small, l large, o only outdoors, p made
 * of painted wood, b can break, i shines, n from nature, y a toy.
 */
const KINDS = {
  ball: 'ry',
  hoop: 'rlopy',
  marble: 'rsi',
  wheel: 'rlop',
  kite: 'wloy',
  balloon: 'wl',
  hat: 'w',
  scarf: 'w',
  cap: 'w',
  feather: 'wsn',
  flag: 'w',
  umbrella: 'wlo',
  pinwheel: 'wpy',
  ribbon: 'ws',
  stamp: 'ws',
  doll: 'yp',
  drum: 'lyp',
  train: 'yp',
  truck: 'yp',
  puppet: 'yp',
  robot: 'yp',
  boat: 'yp',
  'yo-yo': 'syp',
  rocket: 'yp',
  'teddy bear': 'y',
  whistle: 'si',
  flute: 'p',
  trumpet: 'i',
  key: 'si',
  ring: 'si',
  bell: 'si',
  button: 's',
  spoon: 'si',
  shell: 'snb',
  bead: 'rs',
  brooch: 'si',
  badge: 'si',
  pencil: 's',
  bracelet: 'si',
  necklace: 'si',
  purse: 's',
  comb: 's',
  basket: 'lp',
  lantern: 'bi',
  bag: '',
  bucket: 'l',
  blanket: 'l',
  book: '',
  notebook: '',
  cup: 'b',
  pillow: 'l',
  mirror: 'bi',
  coat: 'l',
  box: 'p',
  jar: 'b',
  bowl: 'b',
  vase: 'b',
  teapot: 'bi',
  plate: 'b',
  clock: 'bp',
  lamp: 'b',
  globe: 'b',
  telescope: 'bi',
  compass: 'si',
  backpack: 'l',
  jacket: 'l',
  violin: 'b',
  magnet: 'i',
  candle: '',
  stool: 'lp',
  mask: 'p',
  crown: 'i',
  belt: '',
  wallet: 's',
  fan: '',
  harmonica: 'si',
  hammer: '',
  helmet: 'i',
  ladle: 'si',
  postcard: 'ws',
  map: 'w',
  towel: 'w',
  napkin: 'w',
  cushion: 'l',
  rattle: 'yp',
  spade: '',
  tambourine: 'i',
  watch: 'si',
  medal: 'si',
  bottle: 'b',
  jug: 'b',
  kettle: 'i',
  pan: 'i',
  mug: 'b',
  horseshoe: 'i',
  birdhouse: 'p',
  chessboard: 'p',
  ruler: 'p',
  sweater: 'l',
  puzzle: 'y',
  sled: 'lop',
  scooter: 'lo',
  crayon: 's',
  pen: 's',
  thimble: 'si',
  locket: 'si',
  saucer: 'b',
  goblet: 'i',
  guitar: 'lb',
  banjo: 'b',
  ukulele: 'b',
  recorder: 'p',
  accordion: 'l',
  xylophone: 'yp',
  sailboat: 'yp',
  airplane: 'yp',
  apron: 'w',
  shawl: 'w',
  cape: 'w',
  handkerchief: 'ws',
  headband: 's',
  raincoat: 'l',
  'money box': 'b',
  'snow globe': 'bs',
  'music box': 'bp',
  sketchbook: '',
  diary: '',
  album: '',
  atlas: '',
  flashlight: 'i',
  camera: 'b',
  radio: 'b',
  clarinet: '',
  funnel: '',
  'rolling pin': 'p',
  'spinning top': 'syp',
  'jump rope': 'y',
  frisbee: 'wyo',
  boomerang: 'p',
  figurine: 'sb',
  candlestick: 'i',
  hourglass: 'b',
  padlock: 'si',
  easel: 'lp',
  'picture frame': 'bp',
  dollhouse: 'lyp',
  quilt: 'l',
  glider: 'wyo',
  'paper crane': 'ws',
  cowbell: 'i',
  trophy: 'i',
} as const;

export type Noun = keyof typeof KINDS;

export const NOUNS = Object.keys(KINDS) as Noun[];

export const is = (noun: Noun, kind: string): boolean => KINDS[noun].includes(kind);

export const COLORS = [
  'red',
  'blue',
  'green',
  'yellow',
  'white',
  'black',
  'brown',
  'pink',
  'purple',
  'orange',
  'gray',
  'golden',
  'silver',
  'turquoise',
  'violet',
  'scarlet',
  'lilac',
  'beige',
  'maroon',
  'bronze',
  'crimson',
  'copper',
] as const;

export type Color = (typeof COLORS)[number];

/** With their weights; '' is none. */
export const ADJECTIVES = {
  '': 7,
  big: 1,
  little: 1,
  tiny: 1,
  old: 1,
  new: 1,
  shiny: 1,
  pretty: 1,
  wooden: 1,
  lovely: 1,
  strange: 1,
  funny: 1,
  dusty: 1,
  beautiful: 1,
  fancy: 1,
  plain: 1,
  faded: 1,
  heavy: 1,
  splendid: 1,
  precious: 1,
} as const;

export type Adjective = keyof typeof ADJECTIVES;

export function fits(adjective: Adjective, noun: Noun): boolean {
  switch (adjective) {
    case '':
    case 'lovely':
    case 'strange':
    case 'funny':
    case 'beautiful':
    case 'splendid':
    case 'precious':
      return true;
    case 'fancy':
    case 'plain':
      return !is(noun, 'n');
    case 'faded':
      return !is(noun, 'n') && !is(noun, 'i') && !is(noun, 'p') && noun !== 'balloon';
    case 'heavy':
      return is(noun, 'l') && !is(noun, 'w');
    case 'dusty':
      return !is(noun, 'n');
    case 'big':
      return !is(noun, 's');
    case 'little':
      return !is(noun, 'l');
    case 'tiny':
      return is(noun, 's');
    case 'old':
      return !is(noun, 'n') && noun !== 'balloon';
    case 'new':
      return !is(noun, 'n');
    case 'shiny':
      return is(noun, 'i');
    case 'pretty':
      return !['wheel', 'truck', 'bucket', 'robot'].includes(noun);
    case 'wooden':
      return is(noun, 'p');
  }
}

/** 'little red' or 'red wooden': what comes before the noun. */
export function described(adjective: Adjective, color: Color): string {
  if (adjective === '') return color;
  return adjective === 'wooden' ? `${color} wooden` : `${adjective} ${color}`;
}

export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
