import { act, maybe, type Node, pick, say } from '../grammar/grammar.ts';
import { type World } from '../grammar/world.ts';
import { aboutThing, anotherAdult, type Episode, fact, forget, hasBoth, isTwins, owner, set } from '../facts/steps.ts';
import { is, type Noun } from '../words/things.ts';

const owned = (world: World): string => world.get<string>(world.get<string>('t') + '.owner') ?? '';
const belongsTo = (thing: string, part: string): Node[] =>
  act((world) => world.set(`${world.get<string>(thing)}.owner`, world.get(part)));

/** An adult asks whose it is now: whoever followed can say. */
const whose: readonly Node[] = [
  ...anotherAdult,
  ...act((world) => {
    const w = owned(world);
    world.set('w', w);
    world.set('l', w === 'A' ? 'B' : 'A');
  }),
  ...say('<soon>, {H} [came by|joined them].', '{H.S} had watched them.', '{H.S} [walked past|sat down beside them].'),
  ...say(
    '"Whose {t} is this?" asked {H}. "It is {w.own}," <replies> {l}.',
    '"Whose {t} is that now?" asked {H}. "[Mine|It is mine]," <replies> {w}.',
    '"What a [lovely|fine|nice] {t.c} {t}!" <cries> {H}. "Whose is it?" "{w.own}," <replies> {l}.',
    '"Is that your {t.c} {t}, {l}?" asked {H}. "No, it is {w.own} now," <replies> {l}.',
  ),
];

const trade: Episode = {
  name: 'trade',
  weight: 6,
  length: 3,
  suits: (world) => hasBoth(world) && !isTwins(world) && owner(world, 'X') !== owner(world, 'Y'),
  steps: [
    ...aboutThing(),
    ...act((world) => world.set('u', world.get('t') === 'X' ? 'Y' : 'X')),
    ...say(
      '"[Would you like to trade|Shall we trade|Do you want to swap]?" asked {o}.',
      '"I will give you my {t.my} for your {u.my}," said {o}.',
      '"[I like your|What a fine] {u}," said {o}. "[Shall we trade|Do you want mine]?"',
      '"I have wanted {u.ac} {u} for a long time," said {o}. "Will you take mine?"',
      '"My {t} for your {u}," said {o}. "What do you think?"',
      '{o.S} looked at {u.the} for a long time. "Would you swap it for my {t}?"',
    ),
    ...maybe(
      0.5,
      say(
        '{f.S} [thought about it|looked at {t.the}|scratched {f.his} head].',
        '"Is it [still good|really yours]?" asked {f}. "Yes," <replies> {o}.',
        '"Let me think," said {f}.',
        '{f.S} walked [once|twice|three times] around {t.the}.',
        '"What can it do?" asked {f}. "Nothing, but it is pretty," <replies> {o}.',
        '{f.S} [held {t.the} up to the light|tapped on {t.the}|turned {t.the} over].',
      ),
    ),
    ...pick(
      [
        4,
        [
          ...say(
            '"[Yes|All right|Agreed|Why not]," {f.s} said [at last|with a smile|after a while|].',
            '{f.S} [nodded|agreed|smiled and nodded].',
          ),
          ...say(
            'So {o} gave {f.o} {t.the} and got {u.the}.',
            '{o.S} took {u.the}, and {f} took {t.the}.',
            'And so {t.the} went to {f}, and {u.the} went to {o}.',
            '{o.S} handed over {t.the}, and {f} handed over {u.the}.',
            'They [traded|swapped]. Now {t.the} was {f.own}, and {u.the} was {o.own}.',
          ),
          ...belongsTo('t', 'f'),
          ...belongsTo('u', 'o'),
          ...fact('got', 'What did {o.you} get for the {t.one}', '{u.Ac} {u}', 'thing'),
          ...fact('swap.*', 'Who had the {u} before', '{f.Who} did', 'name'),
          ...maybe(
            0.4,
            say(
              '{f.S} [was very happy|smiled from ear to ear|laughed out loud].',
              '{o.S} was <glad> too.',
              'They shook hands on it.',
            ),
          ),
          ...maybe(0.5, whose),
        ],
      ],
      [
        1,
        [
          ...say(
            '"No, I want to keep my {u}," said {f}.',
            '"I am sorry, but no," {f.s} said. "My {u} [was a gift|is dear to me]."',
            '{f.S} shook {f.his} head and held {u.the} tightly.',
            '"Never," said {f}. "Not for anything in the world."',
          ),
          ...say(
            '{o.S} was a little <sad>, but {o.he} understood.',
            '"That is fine," said {o}. "Then let us play with both."',
            '"I only asked," said {o}.',
          ),
        ],
      ],
    ),
  ],
};

const gift: Episode = {
  name: 'gift',
  weight: 4,
  length: 2,
  suits: (world) => !isTwins(world),
  steps: [
    ...aboutThing(),
    ...say(
      'It was {f.own} birthday, but nobody had [thought of it|remembered].',
      '{f.S} had been [ill|sad] all week.',
      '"I wish I had {t.ac} {t} too," said {f}.',
      'That day, {f} was ten years old.',
      '{f} had a [cold|toothache|bad day].',
      '{f} had never had {t.ac} {t}.',
      '{f} was going to move to another town.',
      'It was the day before {f.own} birthday.',
      '{f.S} had lost a race in the morning and was [very|still] <sad>.',
    ),
    ...say(
      'So {o} gave {f.o} {t.the} as a [gift|present].',
      '"This {t} is for you," said {o}, and gave it to {f}.',
      '"Keep it," said {o}, and put {t.the} into {f.own} hands.',
      '"I want you to have my {t.my}," said {o} to {f}.',
      '{o.S} [thought for a while|made up {o.his} mind] and gave {t.the} to {f}.',
      '"Close your eyes," said {o}, and put {t.the} into {f.own} hands.',
    ),
    ...belongsTo('t', 'f'),
    ...maybe(
      0.6,
      say(
        '"For me?" asked {f}. "Yes, it is yours now," <replies> {o}.',
        '"But it is yours!" <cries> {f}. "Now it is yours," said {o}.',
        '{f.S} could not believe it.',
        '{f.S} did not know what to say.',
        '"I will take good care of it," said {f}.',
        '"Really? Thank you!" <cries> {f}.',
        '{f.S} [beamed|blushed] and hugged {t.the}.',
      ),
    ),
    ...maybe(0.5, whose),
    ...fact('gave.*', 'What did {o.you} give {f.me}', '{t.Ac} {t}', 'thing'),
  ],
};

const lend: Episode = {
  name: 'lend',
  weight: 3,
  length: 2,
  suits: (world) => !isTwins(world),
  steps: [
    ...aboutThing(),
    ...forget('n2'),
    ...say(
      '"May I borrow your {t.my}?" asked {f}.',
      '{f.S} wanted to borrow {t.the}.',
      '"Can you lend me {t.the}?" asked {f}.',
      '"I need {t.ac} {t} for a moment," said {f}.',
      '{f.S} asked {o} for {t.the}.',
    ),
    ...say(
      '"Yes, for {n2} minutes," said {o}.',
      '"You may have it for {n2} minutes," said {o}.',
      '{o.S} lent it to {f} for {n2} minutes.',
      '"But only for {n2} minutes," said {o}.',
      '"If you bring it back in {n2} minutes," said {o}.',
    ),
    ...pick(
      [
        3,
        [
          ...say(
            '{f.S} [was very careful with it|had great fun with it|carried it around proudly].',
            '{f.S} [showed it to everybody|did not let go of it].',
          ),
          ...say(
            '"Whose {t} is that?" asked {H}. "{o.own}," <replies> {f}. "I only borrowed it."',
            '"Is that yours?" asked {H}. "No, it is {o.own}," <replies> {f}.',
            'Then {f} brought {t.the} back, just in time.',
            'After {n2} minutes, {f} gave it back.',
          ),
        ],
      ],
      [
        2,
        [
          ...say(
            'But {f} forgot [the time|all about it].',
            'But after {n2} minutes, {f} was nowhere to be seen.',
            '{f.S} kept it much longer than that.',
          ),
          ...say(
            '"You said {n2} minutes," said {o}.',
            '{o.S} had to go and look for {f}.',
            '"May I have my {t} back now?" asked {o}.',
          ),
          ...say(
            '"Here it is, I am sorry," said {f}.',
            '{f.S} [blushed|was sorry] and gave it back.',
            'At last, {o} got it back.',
          ),
        ],
      ],
    ),
    ...fact('lent.*', 'Who borrowed {o.your} {t.one}', '{f.Who} did', 'name'),
    ...fact('minutes', 'For how long did {f.you} borrow the {t.one}', 'For {n2} minutes', 'number'),
  ],
};

const isPaintable = (world: World, thing: string): boolean => is(world.get<Noun>(`${thing}.noun`) ?? 'ball', 'p');

const paint: Episode = {
  name: 'paint',
  weight: 5,
  length: 2,
  suits: (world) => !isTwins(world) && (isPaintable(world, 'X') || (hasBoth(world) && isPaintable(world, 'Y'))),
  steps: [
    ...forget('brush'),
    ...anotherAdult,
    ...aboutThing(isPaintable),
    ...say(
      '"I am tired of {t.c}," said {o}. "I want a new color."',
      '{o.S} thought that {t.the} needed some new paint.',
      '"Your {t} would look better in another color," said {f}.',
      'The paint was coming off {t.the}.',
      'Somebody had scratched {t.the}.',
      '"Nobody likes {t.c}," said {f}. "Let us paint it."',
      '"Let us paint your {t}," said {f}. "Another color would be nice."',
    ),
    ...fact('before.*', 'What color was the {t.one} at first', '{t.C}', 'color'),
    ...say(
      '{H.S} gave them [a pot of paint|some old paint].',
      'They asked {H} for some paint.',
      'Luckily, {H} had some paint left.',
      'They bought a pot of paint from {H}.',
      '{H.S} still had half a pot of paint.',
      '"You may have my paint," said {H}.',
    ),
    ...act((world) => {
      const t = world.get<string>('t') ?? '';
      world.set(`${t}.was`, world.get(`${t}.color`));
      world.set(`${t}.color`, undefined);
    }),
    ...say(
      'With {brush}, they painted the {t} {t.c}.',
      '{o.S} painted the {t} {t.c} with {brush}, and {f} [watched|helped].',
      'They took {brush} and painted the {t} {t.c} from top to bottom.',
      '{f.S} held the {t}, and {o} painted it {t.c} with {brush}.',
    ),
    ...maybe(
      0.6,
      say(
        '"{t.C} is much better," said {f}.',
        'It took [an hour|a long time] to dry.',
        'Now nobody would have known it again.',
        '{o.own} hands were {t.c} too.',
        '"Now it looks like new," said {o}.',
        'A bit of {t.c} paint got on {f.own} nose.',
        '"I like it," said {f}. "It is so {t.c}!"',
        'Then they let it dry in the sun.',
      ),
    ),
    ...fact('painted.*', 'What color is the {t.one} now', '{t.C}', 'color'),
    ...fact('paint', 'Where did you get the paint', 'From {H}', 'name'),
    ...fact('brush', 'How did you paint the {t.one}', 'With {brush}', 'tool'),
  ],
};

const finder: Episode = {
  name: 'finder',
  weight: 4,
  length: 3,
  suits: (world) => !world.has('C.name'),
  steps: [
    ...forget('U'),
    ...set({ t: 'Z' }),
    ...say(
      '{U.Cap}, they found {Z.a} {Z}.',
      'Then {A} saw {Z.a} {Z} lying {U}.',
      '"Look, there is {Z.a} {Z} {U}!" <cries> {B}.',
      '{B.S} found {Z.a} {Z} {U}.',
    ),
    ...say(
      '"Whose {Z} is [this|that]?" asked {A}.',
      '"Somebody must have lost it," said {B}.',
      'They [waited|looked around], but nobody came.',
      '"Is it yours?" asked {A}. "No," <replies> {B}.',
      '"It must belong to somebody," said {A}.',
      'There was no name on it.',
      '{A.S} picked it up and wiped it clean.',
    ),
    ...maybe(0.5, [
      ...say(
        'They asked {H} first, but {H.he} had never seen it.',
        'They showed it to {H}. "No, mine is at home," said {H}.',
        '{H.S} shook {H.his} head. "It is not mine."',
      ),
      ...fact('not', 'Whom did you ask first', '{H.Cap}', 'name'),
    ]),
    ...say(
      '<soon>, they met {C}, who was [looking for something|searching the ground|close to tears].',
      'Then {C} came, looking [left and right|very <sad>].',
      'At last, they saw {C}, who was [looking for something|searching everywhere].',
      'On the way back, they heard {C} crying.',
      'Behind a corner stood {C}, looking very <sad>.',
      '<soon>, {C} asked them for help.',
    ),
    ...pick(
      [
        2,
        say(
          '"What color is your {Z}?" asked {A}. "{Z.C}," <replies> {C}.',
          '"I have lost my {Z.my}," said {C}.',
          '"What are you looking for?" asked {B}. "My {Z.my}," <replies> {C}.',
        ),
      ],
      [
        1,
        [
          ...say(
            '"I have lost my {Z}," said {C}. "What color is it?" asked {A}.',
            '"Has anybody seen my {Z}?" asked {C}. "What does it look like?" asked {B}.',
          ),
          ...say('"It is {Z.c}," said {C}.', '"{Z.C}," said {C}.'),
        ],
      ],
    ),
    ...say(
      '"[Then this is yours|Here it is|We found it]!" <cries> {A}.',
      '{A.S} held it up. "Is this it?" "Yes!" cried {C}.',
      '{B.S} [smiled|laughed] and gave {C} {Z.the}.',
    ),
    ...maybe(
      0.6,
      say(
        '"Where was it?" asked {C}. "{U.Cap}," <replies> {B}.',
        '"Thank you so much!" <cries> {C}.',
        '{C.S} [danced with joy|was very <glad>].',
        '"I will never lose it again," said {C}.',
      ),
    ),
    ...fact('found', 'Where did you find the {Z.full}', '{U.Cap}', 'place'),
    ...fact('lost', 'Whose {Z} was it', '{C.Mine}', 'owner'),
    ...fact('lostColor', 'What color was the {Z} that you found', '{Z.C}', 'color'),
  ],
};

export const DEALINGS: readonly Episode[] = [trade, gift, lend, paint, finder];
