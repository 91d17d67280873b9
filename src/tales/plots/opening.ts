import { maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { moreTraits, traits } from './traits.ts';
import { anotherAdult, fact, isOutdoors, set } from '../facts/steps.ts';

/** Where, when, and two children. */
const meeting: readonly Node[] = pick(
  [
    4,
    say(
      '<time>, {A} and {B} were playing {P.in}.',
      '<time>, {A} met {B} {P.in}.',
      '<time>, {A} and {A.his} [friend|cousin|neighbor|classmate] {B} went {P.to}.',
      '"Come {P.to} with me!" <cries> {A} to {B}.',
      'Every [Saturday|Sunday|Friday|day after school], {A} and {B} met {P.in}.',
    ),
  ],
  [
    2,
    [
      ...say(
        'There was once a [little|clever|cheerful|shy|brave|dreamy] {A.kid} [named|called] {A}. {A.His} best friend was {B}.',
        '{A.S} lived [next door to|across the street from|two houses away from|in the same house as] {B}.',
        '{A} and {B} did [everything|almost everything|most things] together.',
        'Nobody could [whistle|laugh|sing] as loudly as {A} and {B}.',
      ),
      ...say(
        '<time>, they [met|were playing] {P.in}.',
        '<time>, they [went|walked|ran] {P.to}.',
        'They [liked|loved] to play {P.in}.',
      ),
    ],
  ],
  [
    1,
    [
      ...say(
        'It was [a quiet day|almost noon|a cold morning|a warm evening|a lazy afternoon] {P.in}, and {A} was [bored|all alone|waiting for a friend].',
        '{P.The} was [almost empty|full of people|very quiet] that day, but {A} [liked it|did not mind].',
      ),
      ...say(
        '[Luckily|Then|At last], {B} [came along|came too|arrived].',
        'Then {B} came, [out of breath|singing|with muddy shoes|eating a pear].',
      ),
    ],
  ],
);

const outside: readonly Node[] = say(
  'The sun was [warm|shining|high in the sky|low and golden].',
  'A [soft|cool|gentle|light] wind was blowing.',
  'It smelled of [grass|rain|flowers|smoke|honey|wet earth].',
  'Somebody was flying a kite in the distance.',
  'A [boy|girl|man|woman] on a [bicycle|horse|cart] [waved|went by|rang a bell].',
  '[Birds|A few birds|Crickets] were singing.',
  'The sky was [blue|clear|pale|full of small clouds].',
  'Far away a [bell rang|dog barked|train whistled|rooster crowed].',
  'The [air|ground] was [cool|warm|still damp] from the night.',
  'There was [not a cloud in the sky|a rainbow over the roofs|a little snow on the hills].',
  'It had [rained|snowed|been foggy] in the morning, but now it was [dry|bright|warm].',
);

const inside: readonly Node[] = say(
  'It was [warm|cool|rather dark|quiet|cozy] there.',
  'Rain [drummed|pattered] on the roof.',
  'It smelled of [dust|apples|old wood|soap|fresh bread].',
  'A clock [ticked|struck ten|struck noon] somewhere.',
  'Light came in through [a small window|the open door|a crack in the wall].',
  'Somebody was [singing|whistling|humming] next door.',
  'Outside, the wind [howled|was blowing|rattled the shutters].',
  'A [mouse rustled|fly buzzed|spider hung] in the corner.',
);

export const scenery: readonly Node[] = when(isOutdoors, outside, inside);

/** What A has, and how. */
const firstThing: readonly Node[] = pick(
  [
    5,
    say(
      '{A.S} had {X.a} {X} with {A.him}.',
      '{A.S} had brought {A.his} {X.bare} {X}.',
      '{A.S} was [holding|carrying|playing with] {X.a} {X}.',
      '{A.S} showed {B} {A.his} {X.bare} {X}.',
      '{A.S} had come with {A.his} {X.bare} {X}.',
      'In {A.own} hands was {X.a} {X}.',
      '{A.S} never went anywhere without {A.his} {X.bare} {X}.',
      '{A.S} had just got {X.a} {X}.',
      '{A.S} was very proud of {A.his} {X.bare} {X}.',
      'At {A.own} feet lay {X.a} {X}.',
      '{A.own} [favorite|dearest|most precious] thing was {X.a} {X}.',
    ),
  ],
  [
    2,
    [
      ...say(
        '"Look at my {X}!" [said|called|cried] {A}. It was {X.c}.',
        '"I love my {X}," said {A}. It was {X.c}.',
        '"Have you seen my new {X}?" asked {A}. It was {X.c}.',
      ),
    ],
  ],
  [
    2,
    [
      ...say(
        '{H.S} had given {A} {X.a} {X} for {A.his} birthday.',
        '{A.S} had {X.a} {X}. It was a [gift|present] from {H}.',
        '{H.S} had made {X.a} {X} for {A}.',
      ),
      ...fact('giver', 'Who gave you the {X.one}', '{H.Cap} did', 'name'),
    ],
  ],
  [
    1.5,
    [
      ...say(
        '{A.S} had [worked|helped] for {n2} days to [buy|earn] {X.a} {X}.',
        'For {n2} weeks, {A} had saved all {A.his} money, and now {A.he} had {X.a} {X}.',
      ),
      ...say(
        'It had cost {coins} coins.',
        '{A.S} had paid {coins} coins for it.',
        '"It cost {coins} coins," said {A} proudly.',
        '"How much was it?" asked {B}. "It cost {coins} coins," <replies> {A}.',
      ),
      ...fact('coins', 'How much was the {X.one}', '{coins.Cap} coins', 'number'),
    ],
  ],
  [
    1,
    [
      ...say(
        '{A.S} could hardly wait to show {B} {A.his} {X.bare} {X}.',
        'Something {X.c} was sticking out from under {A.own} arm. It was {A.his} {X}.',
        '"Guess what I have," said {A}. It was {X.a} {X}.',
      ),
      ...say(
        '"How [lovely|beautiful|nice]!" <cries> {B}.',
        '"May I [touch|hold] it?" asked {B}. "<surely>," <replies> {A}.',
        '"I have never seen such a fine {X}," said {B}.',
        '{B.S} liked it at once.',
      ),
    ],
  ],
);

const secondThing: readonly Node[] = say(
  '{B.S} had {Y.a} {Y}.',
  '{B.S} was [holding|carrying] {Y.a} {Y}.',
  '{B.S} had brought {Y.a} {Y}.',
  '{B.S} had {Y.a} {Y} in {B.his} hands.',
  '"And I have {Y.ac} {Y}," said {B}.',
  'As for {B}, {B.he} had {Y.a} {Y}.',
  '{B} was busy with {Y.a} {Y}.',
  '{B} was very proud of {Y.a} {Y}.',
  'At {B.own} feet lay {Y.a} {Y}.',
  '{B.S} had just got {Y.a} {Y}.',
  '{B.S} had come with {B.his} {Y.bare} {Y}.',
  'And {B} had found {Y.a} {Y} that morning.',
);

/** The same thing twice, in two colors. */
const twins: readonly Node[] = [
  ...set({ twins: true }),
  ...say(
    '{A} and {B} each had a [nice|fine|brand-new] {X}.',
    'Both {A} and {B} had a [nice|fine|brand-new] {X} with them.',
    'Each of them had a [nice|fine|brand-new] {X}.',
  ),
  { type: 'act', run: (world) => world.set('Y.noun', world.get('X.noun')), forms: [] },
  ...say(
    '{A.own} was {X.c}, and {B.own} was {Y.c}.',
    'The {X.c} one was {A.own}, and the {Y.c} one was {B.own}.',
    'One was {X.c} and belonged to {A}. The other one was {Y.c} and belonged to {B}.',
    '{B.own} was {Y.c}, and {A.own} was {X.c}.',
    '"Mine is {X.c}," said {A}. "And mine is {Y.c}," said {B}.',
  ),
];

export const opening: readonly Node[] = [
  ...meeting,
  ...maybe(0.2, scenery),
  ...traits,
  ...maybe(0.3, moreTraits),
  ...set({ 'X.owner': 'A', 'Y.owner': 'B' }),
  ...pick([3, [...firstThing, ...maybe(0.8, secondThing)]], [1, twins]),
  ...anotherAdult,
];
