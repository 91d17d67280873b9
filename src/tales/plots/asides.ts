import { maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { eitherChild, fact, forget, isHere, isOutdoors } from '../facts/steps.ts';
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
  ),
  say(
    'A [mouse|cat|kitten] [ran across the floor|peeped around the corner] and [stopped to listen|was gone again].',
    'A [butterfly|bee|moth|ladybug] [flew in|landed on {A.own} sleeve|sat on {B.own} nose].',
    'A [spider|beetle|fly] [walked across the wall|crawled over {A.own} shoe].',
    'A [sparrow|pigeon|robin] sat outside the window and [sang|looked in|waited for crumbs].',
  ),
);

const riddle: readonly Node[] = [
  ...eitherChild,
  ...forget('riddle'),
  ...say(
    '"Do you know [this riddle|a riddle]?" asked {o}.',
    '{o.S} knew a riddle.',
    '"[I have|Here is] a riddle for you," said {o}.',
    '"Guess this," said {o}.',
  ),
  ...say(
    '"{riddle.q}?" {f.S} [thought hard|laughed|knew it at once|looked up]. "{riddle.a}!"',
    '"{riddle.q}?" "{riddle.a}," <replies> {f}.',
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
      'Suddenly, somebody [knocked|scratched] at the door.',
    ),
    ...say(
      '{A.S} [jumped|laughed|held {B.own} hand].',
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
          '"Let us play {game}," said {B}.',
          '"Shall we play {game}?" asked {A}.',
        ),
        ...say(
          '{A.S} won {often}, and {B} won {often}.',
          '{B.S} [won every time|always won].',
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
        'They built [a tower|a castle|a bridge|a little house] out of [stones|boxes|sticks|old boards]. It [fell down|held|was taller than {A}|was as tall as {B}].',
      ),
    ],
  ),
];

const treat: readonly Node[] = say(
  'They shared [a slice of cake|a big sandwich|a bag of popcorn|a jug of lemonade|some bread and honey|a cheese roll|a pancake] and [laughed|talked about school|made plans|told jokes].',
  '{A.S} [offered|gave] {B} [a piece of cake|a cookie|half of {A.his} sandwich|a sip of tea|a peppermint].',
  'Then they were hungry, so they [ate some bread|shared some chestnuts|shared two rolls|ate some berries].',
  '{B.S} [offered|gave] {A} [a piece of chocolate|a slice of melon|half of {B.his} apple|a sip of cocoa].',
);

/** Another child comes and stays. */
export const newcomer: readonly Node[] = [
  ...say(
    '<soon>, {C} [came by|came along|joined them] with {Z.a} {Z}.',
    '"May I play with you?" asked {C}, who had {Z.a} {Z}. "<surely>," <replies> {A}.',
    'Just then, {C} came around the corner with {Z.a} {Z}.',
    '{A} saw {C} and waved. {C} had {Z.a} {Z} with {C.him}.',
    'Then they were three, because {C} came too and brought {Z.a} {Z}.',
    '"Look what I have," called {C}, and held up {Z.a} {Z}.',
  ),
  ...maybe(
    0.3,
    say(
      '{C.S} had [just had breakfast|been to the dentist|come from school|lost a tooth|had a haircut].',
      '"What are you doing?" asked {C}. "Nothing much," <replies> {B}.',
      '{C.S} was in a [good|bad] mood.',
      '"I have been looking for you," said {C}.',
      '"That is a nice {Z}," said {B}.',
    ),
  ),
  ...fact('brought', 'Who had the {Z.full}', '{C} did', 'name'),
  ...fact('brought2', 'What did {C} bring', '{Z.Ac} {Z}', 'thing'),
];

export const aside: readonly Node[] = pick(
  [3, animal],
  [3, riddle],
  [2, rain],
  [3, game],
  [3, treat],
  [1, scenery],
  [(world) => (isHere('C')(world) ? 0 : 8), newcomer],
);
