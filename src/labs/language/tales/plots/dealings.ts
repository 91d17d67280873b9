import { act, maybe, type Node, pick, say } from '../grammar/grammar.ts';
import { type World } from '../grammar/world.ts';
import { aboutThing, anotherAdult, type Episode, fact, forget, hasBoth, isTwins, owner } from '../facts/steps.ts';

const owned = (world: World): string => world.get<string>(world.get<string>('t') + '.owner') ?? '';
const belongsTo = (thing: string, part: string): Node[] =>
  act((world) => world.set(`${world.get<string>(thing)}.owner`, world.get(part)));

/** An adult asks who owns it now: an attentive reader knows. */
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
    '"Who is the owner of the {t.c} {t}?" asked {H}. "[I am|Me]," <replies> {w}.',
    '"Does this {t} belong to you, {l}?" asked {H}. "No, to {w}," <replies> {l}.',
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
      '"If I give you my {t}, may I have your {u}?" asked {o}.',
      '{o.S} thought that {t.the} for {u.the} was a fair trade.',
      '"Would you take my {t} for your {u}?" asked {o}.',
      '"You like my {t}, and I like your {u}," said {o}.',
      '{o.S} held out {t.the} and pointed to {u.the}.',
      '{o.S} looked at {u.the} for a long time. "Would you swap it for my {t}?"',
    ),
    ...maybe(
      0.5,
      say(
        '{f.S} [thought about it|looked at {t.the}|scratched {f.his} head].',
        '"Is it [still good|really yours]?" asked {f}. "Yes," <replies> {o}.',
        '{f.S} needed some time to think.',
        '{f.S} hummed a little tune.',
        '{f.S} [looked into the distance|closed {f.his} eyes|counted on {f.his} fingers].',
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
            '{f.S} held out {f.his} hand.',
            '"It is a deal," said {f}.',
          ),
          ...say(
            'So {o} gave {f.o} {t.the} and got {u.the}.',
            '{o.S} took {u.the}, and {f} took {t.the}.',
            'Soon {u.the} was in {o.own} hands, and {t.the} in {f.own}.',
            'That was how {f} came to have {t.the}, and {o} {u.the}.',
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
              'Both thought they had the better one.',
              '"No going back," said {f}.',
              'It was a good trade.',
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
            '"You will have to ask again next year," said {f}.',
            '{f.S} laughed. "Not for a mountain of gold."',
          ),
          ...say(
            '{o.S} was a little <sad>, but {o.he} understood.',
            '"That is fine," said {o}. "Then let us play with both."',
            '"I only asked," said {o}.',
            '{o.S} shrugged.',
            '"Then I will keep mine too," said {o}.',
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
      '{f.S} had helped {o} [with homework|in the garden|all week].',
      '{f.S} had never got a [gift|present] from a friend.',
      '{f.S} had won a prize at school.',
      '{f.S} looked at {t.the} again and again.',
      '{o.S} wanted to cheer {f.o} up.',
      '{o.S} owed {f} a [favor|present].',
      '"I wish I had {t.ac} {t} too," said {f}.',
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
      '"It is better off with you," said {o}, and gave {t.the} to {f}.',
      '{o.S} tied a bow around {t.the} and gave it to {f}.',
      '{o.S} pressed {t.the} into {f.own} hands.',
      '"From now on, my {t.my} is yours," said {o} to {f}.',
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
        '{f.S} [laughed and cried|jumped up and down|was speechless].',
        '"Are you sure?" asked {f}. "Quite sure," <replies> {o}.',
        '{f.S} had never been so <glad>.',
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
      '{f.S} needed {t.ac} {t} for [a play|a trick|a photo|a game].',
      '"Would you lend me your {t.my}?" asked {f}.',
      '"Just this once, may I use your {t.my}?" asked {f}.',
      '"Can you lend me {t.the}?" asked {f}.',
      '"I need {t.ac} {t} for a moment," said {f}.',
      '{f.S} asked {o} for {t.the}.',
    ),
    ...say(
      '"Yes, for {n2} minutes," said {o}.',
      '"You may have it for {n2} minutes," said {o}.',
      '{o.S} lent it to {f} for {n2} minutes.',
      '"But only for {n2} minutes," said {o}.',
      '"<surely>, but I need it in {n2} minutes," said {o}.',
      '"{n2.Cap} minutes, no more," said {o}.',
      '{o.S} agreed to {n2} minutes.',
      '"If you bring it back in {n2} minutes," said {o}.',
    ),
    ...pick(
      [
        3,
        [
          ...say(
            '{f.S} [was very careful with it|had great fun with it|carried it around proudly].',
            '{f.S} [showed it to everybody|did not let go of it].',
            '{f.S} [played with it|danced with it|looked at it from all sides].',
            '{f.S} [made a drawing of it|tried it out at once].',
          ),
          ...say(
            '"Whose {t} is that?" asked {H}. "{o.own}," <replies> {f}. "I only borrowed it."',
            '"Is that yours?" asked {H}. "No, it is {o.own}," <replies> {f}.',
            'Then {f} brought {t.the} back, just in time.',
            '{o.S} counted the minutes, and after {n2} it was back.',
            '{f.S} came back with it [smiling|on time|a minute early].',
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
            '{o.S} waited {n2} minutes, but {f} did not come.',
            '{f.S} lost count after [two|three] minutes.',
          ),
          ...say(
            '"You said {n2} minutes," said {o}.',
            '{o.S} had to go and look for {f}.',
            '{o.S} became a little [impatient|angry].',
            '"Time is up!" <cries> {o}.',
            '"May I have my {t} back now?" asked {o}.',
          ),
          ...say(
            '"Here it is, I am sorry," said {f}.',
            '{f.S} [blushed|was sorry] and gave it back.',
            'At last, {o} got it back.',
            '{f.S} had not noticed how late it was, and gave it back.',
            '"Oh! Here you are," said {f}.',
          ),
        ],
      ],
    ),
    ...fact('lent.*', 'Who borrowed {o.your} {t.one}', '{f.Who} did', 'name'),
    ...fact('minutes', 'For how long did {f.you} borrow the {t.one}', 'For {n2} minutes', 'number'),
  ],
};

export const DEALINGS: readonly Episode[] = [trade, gift, lend];
