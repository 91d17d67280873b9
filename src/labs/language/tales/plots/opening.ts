import { maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { anotherAdult, fact, isOutdoors, set } from '../facts/steps.ts';
import type { World } from '../grammar/world.ts';

const isOlder = (world: World): boolean => (world.get<number>('age') ?? 0) > (world.get<number>('age2') ?? 0);

/** Two facts about the children, which a person may ask for much later. */
const traits: readonly Node[] = pick(
  [
    2,
    [
      ...say(
        '{A} was {age} years old, and {B} was {age2}.',
        '{A} was {age}, and {B} was {age2}.',
        '{A} had just turned {age}, and {B} was {age2}.',
        'At that time, {A} was {age} and {B} was {age2}.',
        '{B} was {age2} years old, and {A} was {age}.',
        '{B} was {age2}, and {A} had turned {age} in the spring.',
      ),
      ...pick(
        [(world) => (isOlder(world) ? 1 : 0), fact('older', 'Who is older, you or {B}', 'I am', 'name')],
        [(world) => (isOlder(world) ? 0 : 1), fact('older', 'Who is older, you or {B}', '{B} is', 'name')],
      ),
      ...fact('age', 'How old is {B}', '{age2.Cap}', 'number'),
    ],
  ],
  [
    3,
    [
      ...say(
        '{A} liked {food} best, and {B} liked {food2}.',
        '{A} loved {food}, and {B} loved {food2}.',
        '{A} often ate {food}, but {B} wanted nothing but {food2}.',
        '{B} was fond of {food2}, and {A} was fond of {food}.',
        '{A} could eat {food} all day, but {B} liked {food2} better.',
        '{A} never shared {A.his} {food}, and {B} never shared {B.his} {food2}.',
      ),
      ...fact('likes', 'What does {B} like to eat', '{food2.Cap}', 'thing'),
      ...fact('likes/2', 'Who likes {food2}', '{B} does', 'name'),
    ],
  ],
  [
    2,
    [
      ...say(
        '{A} had a {pet} called {petName}.',
        '{A.own} {pet} was called {petName}.',
        '{A} often talked about {A.his} {pet}, {petName}.',
        '{A.own} grandmother had a {pet} called {petName}.',
        '{A} had a {pet} at home, and its name was {petName}.',
        '{A} had to be back in time to feed {A.his} {pet}, {petName}.',
      ),
      ...fact('pet', 'Have you fed the {pet}', 'Yes, {petName} is not hungry any more', 'name'),
    ],
  ],
  [
    2,
    [
      ...say(
        '{A.own} {worn} were {collar2}, and {B.own} were {collar}.',
        '{A} had {collar2} {worn}, and {B} had {collar} ones.',
        '{B} was wearing {collar} {worn}, and {A.own} were {collar2}.',
        '{A} was wearing {collar2} {worn}, and {B} was wearing {collar} ones.',
      ),
      ...fact('worn', 'What color were {B.own} {worn}', '{collar.Cap}', 'color'),
    ],
  ],
  [
    3,
    [
      ...say(
        '{A} liked to {hobby}, and {B} liked to {hobby2}.',
        '{B} loved to {hobby2}, but {A} would rather {hobby}.',
        '{A} liked to {hobby} best of all, and {B} liked to {hobby2}.',
        'While {A} was learning to {hobby}, {B} was learning to {hobby2}.',
      ),
      ...fact('hobby', 'What does {B} like to do', '{B} likes to {hobby2}', 'thing'),
    ],
  ],
  [
    3,
    [
      ...say(
        '{A} wanted to be {job} one day, and {B} wanted to be {job2}.',
        '{A} dreamed of being {job}, and {B} dreamed of being {job2}.',
        '"One day I will be {job}," said {A}. "And I will be {job2}," said {B}.',
        'One day, {A} would be {job}, and {B} would be {job2}. That was the plan.',
      ),
      ...fact('job', 'What does {B} want to be', '{job2.Cap}', 'thing'),
    ],
  ],
  [
    2,
    [
      ...say(
        '{A} was born in {month}, and {B} in {month2}.',
        '{A.own} birthday was in {month}, and {B.own} was in {month2}.',
        '{B} had a birthday in {month2}, and {A} had one in {month}.',
      ),
      ...fact('month', 'When is {B.own} birthday', 'In {month2}', 'thing'),
    ],
  ],
);

/** A sentence about one of them, without consequences. */
const moreTraits: readonly Node[] = say(
  '{A} had been up since [five|six|seven], and {B} had only just woken up.',
  '{B} was [afraid of|very fond of] [spiders|thunder|geese|the dark|bees|cats|ghosts].',
  '{A} was [never late|always hungry|good at sums|bad at waiting|full of ideas|not easily scared].',
  '{B} knew [all the stars|every bird|many old songs|a lot of jokes|the names of all rivers].',
  '{A} had [not slept much|slept like a bear|eaten porridge for breakfast|forgotten {A.his} jacket|torn {A.his} sleeve].',
  '{B} was [the fastest runner|the best swimmer|the loudest singer|the tallest child] in the [school|street|village|town].',
  '{A} and {B} had known each other for [one year|two years|three years|a long time].',
  '{A} had a [plaster on one knee|loose tooth|new haircut|bump on the head|hole in one sock].',
  '{B} could [whistle through two fingers|walk on both hands|say the alphabet backwards|wiggle both ears|sing very high].',
);

/** The setting: place, time, and two children. */
const meeting: readonly Node[] = pick(
  [
    4,
    say(
      '<time>, {A} and {B} were playing {P.in}.',
      '<time>, {A} met {B} {P.in}.',
      '<time>, {A} and {A.his} [friend|cousin|neighbor|classmate] {B} went {P.to}.',
      '<time>, {A} had nothing to do and went {P.to}, where {B} was waiting.',
      'Nobody was {P.in} but {A} and {B}. It was [early|very early|late|Sunday|almost evening|a holiday].',
      '"Meet me {P.in}," {A} had written to {B}, and now they were both there.',
      '<time>, {A} ran all the way {P.to}, because {B} was there.',
      '"Let us go {P.to}," said {A} to {B}, and they did.',
      '"Come {P.to} with me!" <cries> {A} to {B}.',
      'As on every [Saturday|Sunday|Friday|day after school], {A} and {B} met {P.in}.',
    ),
  ],
  [
    2,
    [
      ...say(
        'There was once a [little|clever|cheerful|shy|brave|dreamy] {A.kid} [named|called] {A}. {A.His} best friend was {B}.',
        '{A.S} lived [next door to|across the street from|two houses away from|in the same house as] {B}.',
        '{A} and {B} had met [at school|at a birthday party|on a train|at the dentist|in a choir].',
        '{A} was [quick|quiet|careful|curious], and {B} was [funny|stubborn|patient|brave].',
        '{A} and {B} did [everything|almost everything|most things] together.',
        'Nobody could [whistle|laugh|sing] as loudly as {A} and {B}.',
      ),
      ...say(
        '<time>, they [met|were playing] {P.in}.',
        '<time>, they [went|walked|ran] {P.to}.',
        'They [liked|loved] to play {P.in}.',
        '<time>, they were <glad> to be {P.in}.',
        '<time>, they had {P.the} all to themselves.',
      ),
    ],
  ],
  [
    1,
    [
      ...say(
        'It was [a quiet day|almost noon|a cold morning|a warm evening|a lazy afternoon] {P.in}, and {A} was [bored|all alone|waiting for a friend].',
        '<time>, {A} was {P.in} and [had nothing to do|looked around|counted the clouds|hummed a tune].',
        '{P.The} was [almost empty|full of people|very quiet] that day, but {A} [liked it|did not mind].',
      ),
      ...say(
        '[Luckily|Then|At last], {B} [came along|came too|arrived].',
        'Then {B} came, [out of breath|singing|with muddy shoes|eating a pear].',
        'It was not long before {B} [joined {A.him}|came too|was there].',
        'And there was {B}, [smiling|waving|with a bag of nuts].',
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
  '[Bees|Flies|Swallows] were in the air.',
  'Somewhere, a [cuckoo|woodpecker|flute|saw] could be heard.',
  'There was [mist|frost|dew] on the grass.',
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
  'A [candle|lamp|fire] was burning.',
  'The floor [creaked|had just been swept|was covered with chalk marks].',
  'Somebody had left [a window open|a bucket there|a broom in the corner].',
  'Somebody was [singing|whistling|humming] next door.',
  'Outside, the wind [howled|was blowing|rattled the shutters].',
  'A [mouse rustled|fly buzzed|spider hung] in the corner.',
);

export const scenery: readonly Node[] = when(isOutdoors, outside, inside);

/** A's thing, and how A got it. */
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
      '{A.S} had just been given {X.a} {X}.',
      '{A.S} was very proud of {A.his} {X.bare} {X}.',
      'At {A.own} feet lay {X.a} {X}.',
      '{A.S} had packed {X.a} {X}.',
      '{A.S} had wished for {X.a} {X} for years, and now {A.he} had one.',
      'Nobody else had {X.a} {X} like {A.own}.',
      '{A.S} had found {X.a} {X} at the flea market.',
      '{A.S} had won {X.a} {X} at the fair.',
      'It was the first time that {A} had taken out {A.his} {X.bare} {X}.',
      '{A.S} had bought {X.a} {X} the day before.',
      'Of all {A.his} things, {A} liked {A.his} {X.bare} {X} best.',
      '{A.own} [favorite|dearest|most precious] thing was {X.a} {X}.',
    ),
  ],
  [
    2,
    [
      ...say(
        '"Look at my {X}!" [said|called|cried] {A}. It was {X.c}.',
        '"I love my {X}," said {A}. It was {X.c}.',
        '"Do you like my {X}?" asked {A}. It was {X.c}.',
        '"Careful with my {X}!" said {A}. It was {X.c}.',
        '"This {X} is mine," said {A}. It was {X.c}.',
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
        '{A.S} had {X.a} {X}. It had once belonged to {H}.',
        '{H.S} had sent {A} {X.a} {X}.',
        '{A.S} had got {X.a} {X} from {H}.',
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
        'After {n2} days of [weeding|sweeping|washing dishes|carrying wood], {A} had bought {X.a} {X}.',
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
        '{A.S} was hiding something behind {A.his} back. It was {X.a} {X}.',
        '{A.S} opened {A.his} bag, and out came {X.a} {X}.',
        '"Guess what I have," said {A}. It was {X.a} {X}.',
      ),
      ...say(
        '"How [lovely|beautiful|nice]!" <cries> {B}.',
        '"May I [touch|hold] it?" asked {B}. "<surely>," <replies> {A}.',
        '"I have never seen such a fine {X}," said {B}.',
        '{B.S} liked it at once.',
        '{B.S} [whistled|clapped|stared] when {B.he} saw it.',
        '"Where did you get that?" asked {B}. "That is a secret," <replies> {A}.',
        '"You are lucky," said {B}.',
      ),
    ],
  ],
);

const secondThing: readonly Node[] = say(
  '{B.S} had {Y.a} {Y}.',
  '{B.S} was [holding|carrying] {Y.a} {Y}.',
  '{B.S} had brought {Y.a} {Y}.',
  '{B.S} had {Y.a} {Y} under one arm.',
  '"And I have {Y.ac} {Y}," said {B}.',
  'As for {B}, {B.he} had {Y.a} {Y}.',
  '{B.S} had bought {Y.a} {Y} the day before.',
  '{B.S} had packed {Y.a} {Y}.',
  '{B.own} pride was {Y.a} {Y}.',
  'What {B} had with {B.him} was {Y.a} {Y}.',
  '"Mine is better," said {B}, and held up {Y.a} {Y}.',
  '{B.S} had won {Y.a} {Y} at a raffle.',
  '{B.S} preferred {B.his} {Y.bare} {Y}.',
  '{B} had only {Y.a} {Y}, but that was enough.',
  'And {B} showed {A} {Y.a} {Y}.',
  '{B} was busy with {Y.a} {Y}.',
  '{B} was very proud of {Y.a} {Y}.',
  'At {B.own} feet lay {Y.a} {Y}.',
  '{B.S} would not let go of {Y.a} {Y}.',
  '{B.S} had come with {B.his} {Y.bare} {Y}.',
  'And {B} had been given {Y.a} {Y} that morning.',
);

/** The same thing twice, in two colors. */
const twins: readonly Node[] = [
  ...set({ twins: true }),
  ...say(
    '{A} and {B} each had a [nice|fine|brand-new] {X}.',
    'Both {A} and {B} had a [nice|fine|brand-new] {X} with them.',
    'Each of them had a [nice|fine|brand-new] {X}.',
    'They had both been given a [nice|fine|brand-new] {X}.',
    'As luck would have it, each had a [nice|fine|brand-new] {X}.',
  ),
  { type: 'act', run: (world) => world.set('Y.noun', world.get('X.noun')), forms: [] },
  ...say(
    '{A.own} was {X.c}, and {B.own} was {Y.c}.',
    'The {X.c} one was {A.own}, and the {Y.c} one was {B.own}.',
    'One was {X.c} and belonged to {A}. The other one was {Y.c} and belonged to {B}.',
    '{B.own} was {Y.c}, and {A.own} was {X.c}.',
    'To tell them apart, {A} had chosen {X.c}, and {B} had chosen {Y.c}.',
    'But {A.own} was {X.c}, while {B.own} was {Y.c}.',
    '"Mine is {X.c}," said {A}. "And mine is {Y.c}," said {B}.',
  ),
];

export const opening: readonly Node[] = [
  ...meeting,
  ...maybe(0.2, set({ 'aside.scenery': true }), scenery),
  ...traits,
  ...maybe(0.3, moreTraits),
  ...set({ 'X.owner': 'A', 'Y.owner': 'B' }),
  ...pick([3, [...firstThing, ...maybe(0.8, secondThing)]], [1, twins]),
  ...anotherAdult,
];
