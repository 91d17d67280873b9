import { maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { type World } from '../grammar/world.ts';
import { eitherChild, fact, forget, isHere, isOutdoors, set } from '../facts/steps.ts';
import { scenery } from './opening.ts';

const animal: readonly Node[] = when(
  isOutdoors,
  say(
    'A [small|friendly|curious|young] dog [came by|ran up to them] and [wagged its tail|barked twice|sat down to watch].',
    'A [gray|sleepy|curious|fat] cat came by and [looked at them|yawned|licked its paw|watched a bird].',
    '[Two|Three|Five|Seven] [ducks|geese|hens] walked past and [made a lot of noise|looked very serious|took no notice of them].',
    'A [squirrel|hedgehog|rabbit|fox|mouse] [peeped out of the grass|ran past] and [stopped to listen|was gone again].',
    'A [butterfly|bee|beetle|ladybug] [flew past|landed on {A.own} sleeve|sat on {B.own} nose].',
    'A [pony|donkey|cow] looked over a fence and [blinked|sneezed|waited for a carrot].',
    'High above them, a [stork|hawk|swallow] was [flying in circles|looking for its nest].',
    'An owl [hooted|blinked|slept] in [a tree|a dark corner].',
    'A [snail|caterpillar|frog] [crossed their path|took its time|looked at {A}].',
    'A [peacock|turkey|rooster] [strutted past|screamed|lost a feather].',
    'A [lizard|hare|weasel] ran right between {A} and {B}.',
  ),
  say(
    'A [mouse|cat|kitten] [ran across the floor|peeped around the corner] and [stopped to listen|was gone again].',
    'A [butterfly|bee|moth|ladybug] [flew in|landed on {A.own} sleeve|sat on {B.own} nose].',
    'A [spider|beetle|fly] [walked across the wall|crawled over {A.own} shoe].',
    'A [sparrow|pigeon|robin] sat outside the window and [sang|looked in|waited for crumbs].',
    'A [cat|dog|kitten] was sleeping [in a corner|on a chair] and [did not wake up|dreamed of milk|opened one eye].',
    'A [cricket|bat|moth] [was in the room|had lost its way|kept them company].',
  ),
);

const riddle: readonly Node[] = [
  ...eitherChild,
  ...forget('riddle'),
  ...say(
    '"Do you know [this riddle|a riddle]?" asked {o}.',
    '{o.S} knew a riddle.',
    '"Here is a hard one," said {o}.',
    'Then {o} asked {f} a riddle.',
    '"My teacher knows a good riddle," said {o}.',
    '"[I have|Here is] a riddle for you," said {o}.',
    '"Guess this," said {o}.',
  ),
  ...say(
    '"{riddle.q}?" {f.S} [thought hard|laughed|knew it at once|looked up]. "{riddle.a}!"',
    '"{riddle.q}?" "{riddle.a}," <replies> {f}.',
    '"{riddle.q}?" {f.S} [frowned|shrugged|counted to ten|asked for time]. "{riddle.a}?" "Yes!" said {o}.',
    '"{riddle.q}?" "I do not know," <replies> {f}. "{riddle.a}!" <cries> {o}.',
    '"{riddle.q}?" "{riddle.a}," <replies> {f} [at once|after a while|without thinking].',
  ),
  ...fact('riddle', 'What was the answer to {o.your} riddle', '{riddle.a}', 'riddle'),
];

const rain: readonly Node[] = when(
  isOutdoors,
  [
    ...say(
      '[Then|Suddenly] it began to [rain|hail|snow], and they [ran under a tree|hid under a roof|got very wet|held hands and ran].',
      'A dark cloud came, and it [rained|poured] for [a while|an hour|ten minutes].',
    ),
    ...say(
      'Afterwards, there was a rainbow.',
      'Soon they were dry again.',
      '{A.S} was wet to the skin.',
      '{A.S} caught some drops with {A.his} tongue.',
      '[Luckily|But] it did not last long.',
      'They [counted to a hundred|told each other jokes|sang a song] until it was over.',
      'Then the sun came [out again|back].',
      '"I like the rain," said {A}.',
      '{B.S} [sneezed|laughed|shivered].',
      'Everything [smelled fresh|was dripping] afterwards.',
    ),
  ],
  [
    ...say(
      '[Then|Suddenly] there was a clap of thunder.',
      'All at once, it became [dark|very quiet].',
      'A [shutter|door|window] [banged|flew open].',
      'Something [fell down|rattled|squeaked] [nearby|behind them|outside].',
      'The lamp [went out|flickered].',
      'Suddenly, somebody [knocked|scratched] at the door.',
    ),
    ...say(
      '{A.S} [jumped|laughed|held {B.own} hand].',
      '{B.S} [jumped|went pale|looked under the table].',
      'They both [laughed|jumped|listened].',
      '"[Only|It is only] the wind," said {B}.',
      '"What was that?" asked {B}.',
      'But nothing [happened|else happened].',
    ),
  ],
);

const game: readonly Node[] = [
  ...forget('game'),
  ...pick(
    [
      2,
      [
        ...say(
          'They played {game} [for an hour|until noon|for a while|again and again].',
          'Next, they played {game}.',
          '{A} knew new rules for {game}, so they tried them.',
          '"Let us play {game}," said {B}.',
          '"Shall we play {game}?" asked {A}.',
        ),
        ...say(
          '{A.S} won {often}, and {B} won {often}.',
          '{B.S} [won every time|always won].',
          '{A.S} lost {often} and won {often}.',
          '{B.S} was much better at it.',
          '{A.S} had never played it before.',
          '{A.S} [won every time|always won].',
          'It was [great fun|such fun|a long game].',
        ),
        ...fact('game', 'What did you play', '{game.Cap}', 'thing'),
      ],
    ],
    [
      2,
      say(
        '{A.S} taught {B} a [song|dance|trick|poem]. {B.S} [learned it quickly|found it hard|soon knew it by heart].',
        '{B.S} told {A} a [story|joke|secret] about a [dragon|ghost|king|pirate|talking fish|giant|witch]. {A.S} [laughed|wanted to hear more|did not believe it].',
        'They drew [a ship|a castle|a whale|a horse|a rocket|an owl] [with chalk|with a piece of coal]. It was {B.own} idea.',
        'They [sang|whistled|hummed] [an old song|a march|a lullaby|a song without end]. {A.S} [sang too high|knew all the words|kept the beat].',
        'They [made|folded|cut out] [a paper ship|a paper hat|a star|a chain of dolls] from [an old letter|a newspaper|a map].',
        '{A.S} stood on {A.his} head for [ten seconds|a whole minute], and {B} [clapped|counted|laughed].',
        '{B.S} tried to [juggle|walk backwards|speak like a robot|balance a spoon], but it [went wrong|was too hard|made {A} laugh].',
        'They built [a tower|a castle|a bridge|a little house] out of [stones|boxes|sticks|old boards]. It [fell down|held|was taller than {A}|was as tall as {B}].',
      ),
    ],
  ),
];

const treat: readonly Node[] = say(
  'They shared [a slice of cake|a big sandwich|a bag of popcorn|a jug of lemonade|some bread and honey|a cheese roll|a pancake] and [laughed|talked about school|made plans|told jokes].',
  '{A.S} had [two sandwiches|a bar of chocolate|a bag of plums|some cold pancakes] [in a bag|from breakfast], and they shared everything.',
  'They had a [picnic|snack|rest] and [drank some juice|ate bread and cheese|ate a boiled egg each].',
  '{A.S} [offered|gave] {B} [a piece of cake|a cookie|half of {A.his} sandwich|a sip of tea|a peppermint].',
  'Then they were hungry, so they [ate some bread|shared some chestnuts|shared two rolls|ate some berries].',
  '{B.S} [offered|gave] {A} [a piece of chocolate|a slice of melon|half of {B.his} apple|a sip of cocoa].',
);

/** Another child arrives and stays. */
export const newcomer: readonly Node[] = [
  ...say(
    '<soon>, {C} [came by|came along|joined them] with {Z.a} {Z}.',
    '"May I play with you?" asked {C}, who had {Z.a} {Z}. "<surely>," <replies> {A}.',
    'Just then, {C} came around the corner with {Z.a} {Z}.',
    '<suddenly>, {C} was there with {Z.a} {Z}.',
    'Then came {C}, carrying {Z.a} {Z}.',
    'Somebody whistled. It was {C}, with {Z.a} {Z}.',
    '{C} wanted to show them {Z.a} {Z} and stayed.',
    'There was {C}, and under {C.his} arm was {Z.a} {Z}.',
    '{A} saw {C} and waved. {C} had {Z.a} {Z} with {C.him}.',
    'Then they were three, because {C} came too and brought {Z.a} {Z}.',
    '"Look what I have," called {C}, and held up {Z.a} {Z}.',
  ),
  ...maybe(
    0.3,
    say(
      '{C.S} had [just got up|been to the dentist|come from school|lost a tooth|been to the barber].',
      '"What are you doing?" asked {C}. "Nothing much," <replies> {B}.',
      '{C.S} was in a [good|bad] mood.',
      '{C.S} had [run all the way|got lost twice|come by bicycle|slept too long].',
      '"You are late," said {A}. "I know," <replies> {C}.',
      '"I have been looking for you," said {C}.',
      '"That is a nice {Z}," said {B}.',
    ),
  ),
  ...fact('brought', 'Who had the {Z.full}', '{C} did', 'name'),
  ...fact('brought/2', 'What did {C} bring', '{Z.Ac} {Z}', 'thing'),
];

/** No tale has two asides of the same kind. */
const once = (name: string, weight: number, nodes: readonly Node[]): [(world: World) => number, Node[]] => [
  (world) => (world.has(`aside.${name}`) ? 0 : weight),
  [...set({ [`aside.${name}`]: true }), ...nodes],
];

export const aside: readonly Node[] = pick(
  once('animal', 3, animal),
  once('riddle', 3, riddle),
  once('rain', 2, rain),
  once('game', 3, game),
  once('treat', 3, treat),
  once('scenery', 1, scenery),
  [(world) => (isHere('C')(world) ? 0 : 8), newcomer],
);
