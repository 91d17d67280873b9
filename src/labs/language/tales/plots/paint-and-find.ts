import { act, maybe, pick, say } from '../grammar/grammar.ts';
import { type World } from '../grammar/world.ts';
import { aboutThing, anotherAdult, type Episode, fact, forget, hasBoth, isTwins, set } from '../facts/steps.ts';
import { is, type Noun } from '../words/things.ts';

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
      '"{t.C} is so dull," said {o}.',
      '{o.S} had always wanted another color for {t.the}.',
      'Everybody had {t.ac} {t}, so {o} wanted another color.',
      'There were scratches all over {t.the}.',
      'Somebody had scratched {t.the}.',
      '"Nobody likes {t.c}," said {f}. "Let us paint it."',
      '"Let us paint your {t}," said {f}. "Another color would be nice."',
    ),
    ...fact('before.*', 'What color was the {t.one} at first', '{t.C}', 'color'),
    ...say(
      '{H.S} gave them [a pot of paint|some old paint].',
      '{H.S} kept some paint in a shed.',
      '{H.S} mixed some paint for them.',
      'From {H} they got a [can|jar|bucket] of paint.',
      '{H.S} wanted to get rid of some paint.',
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
      'They used {brush}, and soon the {t} was {t.c}.',
      '{o.S} dipped {brush} into the paint, and soon the {t} was {t.c}.',
      'First {o} and then {f} worked with {brush}, until the {t} was {t.c}.',
      '{o.S} painted the {t} {t.c} with {brush}, and {f} [watched|helped].',
      'They took {brush} and painted the {t} {t.c} from top to bottom.',
      '{f.S} held the {t}, and {o} painted it {t.c} with {brush}.',
    ),
    ...maybe(
      0.6,
      say(
        '"{t.C} is much better," said {f}.',
        'It took [an hour|a long time] to dry.',
        '{f.S} stepped back and looked at it.',
        'There was paint [on the floor|on both sleeves|everywhere].',
        '"I missed a spot," said {o}.',
        'It still smelled of paint a week later.',
        'Now nobody would have known it again.',
        '{o.own} hands were {t.c} too.',
        '"Now it looks like new," said {o}.',
        'A bit of {t.c} paint got on {f.own} nose.',
        '"I like it," said {f}. "It is so {t.c}!"',
        'Then they let it dry in the sun.',
      ),
    ),
    ...fact('color.*/3', 'What color is the {t.one} now', '{t.C}', 'color'),
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
      'There was {Z.a} {Z} {U}, but nobody was near.',
      '{A.S} pointed. Somebody had left {Z.a} {Z} {U}.',
      '{B.S} bent down. There, {U}, was {Z.a} {Z}.',
      'What was that {U}? It was {Z.a} {Z}.',
      '"Look, there is {Z.a} {Z} {U}!" <cries> {B}.',
      '{B.S} found {Z.a} {Z} {U}.',
    ),
    ...say(
      '"Whose {Z} is [this|that]?" asked {A}.',
      '"Somebody must have lost it," said {B}.',
      'They [waited|looked around], but nobody came.',
      'They called, but nobody [answered|came].',
      '{B.S} turned it over and looked for a name.',
      '"Let us find out whose {Z} this is," said {A}.',
      '"Who would leave such a {Z} here?" asked {B}.',
      '"Is it yours?" asked {A}. "No," <replies> {B}.',
      '"It must belong to somebody," said {A}.',
      'There was no name on it.',
      '{A.S} picked it up and wiped it clean.',
    ),
    ...maybe(0.5, [
      ...say(
        'They asked {H} first, but {H.he} had never seen it.',
        '{H.S} said it was not {H.his} {Z}.',
        '"I am afraid it is not mine," said {H}.',
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
      'Then {C} ran up to them, [out of breath|almost in tears].',
      '{C} was [sitting on the ground|turning out every pocket|walking up and down], looking very <sad>.',
      '<soon>, {C} came by, looking [for something|at the ground].',
      '<soon>, {C} asked them for help.',
    ),
    ...pick(
      [
        2,
        say(
          '"What color is your {Z}?" asked {A}. "{Z.C}," <replies> {C}.',
          '"I have lost my {Z.my}," said {C}.',
          '"My {Z.my} is gone," said {C}.',
          '"If only I could find my {Z.my}!" said {C}.',
          '"What are you looking for?" asked {B}. "My {Z.my}," <replies> {C}.',
        ),
      ],
      [
        1,
        [
          ...say(
            '"I have lost my {Z}," said {C}. "What color is it?" asked {A}.',
            '"Has anybody seen my {Z}?" asked {C}. "What does it look like?" asked {B}.',
            '"I cannot find my {Z} anywhere," said {C}. "What color is it?" asked {B}.',
          ),
          ...say('"It is {Z.c}," said {C}.', '"{Z.C}," said {C}.'),
        ],
      ],
    ),
    ...say(
      '"[Then this is yours|Here it is|We found it]!" <cries> {A}.',
      '{A.S} held it up. "Is this it?" {C} nodded.',
      '{A.S} [proudly|quietly] gave {C} {Z.the}.',
      'So {C} got {Z.the} back.',
      '{B.S} [smiled|laughed] and gave {C} {Z.the}.',
    ),
    ...maybe(
      0.6,
      say(
        '"Where was it?" asked {C}. "{U.Cap}," <replies> {B}.',
        '"Thank you so much!" <cries> {C}.',
        '{C.S} [danced with joy|was very <glad>].',
        '{C.S} kissed the {Z}.',
        '"You have saved my day," said {C}.',
        '"How can I repay you?" asked {C}. "Play with us," <replies> {A}.',
        '"I will never lose it again," said {C}.',
      ),
    ),
    ...fact('found', 'Where did you find the {Z.full}', '{U.Cap}', 'place'),
    ...fact('lost', 'Whose {Z} was it', '{C.Mine}', 'owner'),
    ...fact('lostColor', 'What color was the {Z} that you found', '{Z.C}', 'color'),
  ],
};

export const PAINT_AND_FIND: readonly Episode[] = [paint, finder];
