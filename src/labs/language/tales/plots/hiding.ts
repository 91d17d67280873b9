import { act, maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { aboutThing, anotherAdult, type Episode, fact, forget, set } from '../facts/steps.ts';

// ---- a thing is hidden, and moved while its owner is away

const leaves: readonly Node[] = say(
  '[After that|But then], {o} went [off|away] to [get some water|wash {o.his} hands|look for a friend|buy some bread|say hello to somebody].',
  '{o.S} had to [help somebody|go away] for a [moment|while].',
  'Then somebody called {o}, and {o.he} went away for a while.',
  'Then {o} went to [feed the birds|find something to drink|post a letter|see who was coming|fetch a jacket].',
  '{o.S} went away to [buy a stamp|tie {o.his} shoes|ask what time it was].',
  '{o.S} remembered something and [ran off|hurried away].',
  '{o.S} was thirsty and went to find some water.',
  'Just then, {o.his} [mother|father|teacher] called {o} away.',
  '{o.S} left to [lend a hand|pick some flowers|bring back a book|look at a rainbow].',
);

const hide: Episode = {
  name: 'hide',
  weight: 5,
  length: 4,
  suits: () => true,
  steps: [
    ...forget('U', 'V', 'W', 'twice'),
    ...anotherAdult,
    ...aboutThing(),
    ...say(
      '{o.S} put {t.the} {U} to keep it safe.',
      '{o.S} [laid|left|put] {t.the} {U}.',
      '"I will put my {t.my} {U}," said {o}.',
      '{o.S} hid {t.the} {U}, so that nobody would take it.',
      '{o.S} thought that {t.the} would be safe {U}, and put it there.',
      '"My {t.my} will be safe {U}," said {o}, and put it there.',
      '{t.The} was in the way, so {o} put it {U}.',
      '{o.S} was tired of carrying {t.the} and left it {U}.',
      '"It will be all right {U}," said {o}, and put {t.the} there.',
      '{o.S} looked for a good place and put {t.the} {U}.',
      'The best place for {t.the} was {U}, thought {o}, and put it there.',
    ),
    ...leaves,
    ...pick(
      [
        3,
        [
          ...say(
            'While {o.he} was [away|gone], {f} took {t.the} and put it {V}.',
            '{f.S} [needed the room|wanted to tidy up|wanted to play a trick|was afraid it would get lost], so {f.he} put {t.the} {V}.',
            'As soon as {o} was gone, {f} hid {t.the} {V}[ for fun| as a joke|].',
            '{f.S} [borrowed|looked at] {t.the} for a moment and then put it {V}.',
            'Meanwhile, {f} took {t.the} and carried it away. Now it was {V}.',
            '{f.S} thought of a better place and put {t.the} {V}.',
            '{f.S} played with {t.the} for a while and left it {V}.',
            '{f.S} [could not resist|was bored|had an idea] and put {t.the} {V}.',
            'Quick as a flash, {f} took {t.the} and hid it {V}.',
          ),
          ...act((world) => world.set('w', world.get('f'))),
        ],
      ],
      [
        2,
        [
          ...say(
            '{H.S} came by to tidy up and put {t.the} {V}.',
            '{H.S} thought that {t.the} belonged somewhere else and put it {V}.',
            '{H.S} needed the room and moved {t.the}. Now it was {V}.',
            '{H.S} came by, nearly fell over {t.the}, and put it {V}.',
            'Meanwhile, {H} found {t.the} in the way and put it {V}.',
            '{H.S} saw {t.the}, thought that somebody had lost it, and put it {V}.',
          ),
          ...set({ w: 'H' }),
        ],
      ],
    ),
    ...maybe(
      0.35,
      pick(
        [1, say('{o.S} knew nothing of this.', '{o.S} did not see it.')],
        [
          1,
          when(
            (world) => world.get('w') === 'H',
            say('{f.S} saw it and said nothing.', 'Only {f} had seen it.'),
            say('{f.S} [said nothing|had to giggle|sat down and waited].'),
          ),
        ],
      ),
    ),
    ...say(
      '<soon>, {o} came back and looked {U}.',
      '<soon>, {o} ran back and looked {U}.',
      '{o.S} was soon back and went straight to look {U}.',
      '{o.S} had not been gone long. {o.He} looked {U}.',
      'Back again, {o} looked {U}.',
      'When {o} came back, {o.he} [looked|searched] {U}.',
      '{o.S} came back and wanted {o.his} {t.my}. {o.He} looked {U}.',
      'Later, {o} came back and went to look {U}.',
      '{o} came back [with wet hands|out of breath|whistling] and looked {U}.',
      '<soon>, {o} was back and looked for {o.his} {t.my} {U}.',
    ),
    ...say(
      '{t.The} was not there!',
      '{o.S} blinked. {t.The} was gone!',
      'The place was empty.',
      '{o.S} could not believe it: no {t}!',
      '"It was right here!" [said|cried] {o}.',
      'But somebody had taken {t.the} away.',
      'But there was no {t} there.',
      'But it was [gone|no longer there].',
      '"Where is my {t.my}?" [asked|cried] {o}.',
      'There was only [dust|a spider|an old newspaper|a dead fly|a bit of string] there.',
      '{o.S} found nothing at all.',
    ),
    ...maybe(
      0.5,
      say(
        '{o.S} [looked|searched] [everywhere|high and low], but {o.he} could not find it.',
        '{o.S} was [very|so|] <sad>.',
        '{o.S} [scratched {o.his} head|thought hard|looked around twice].',
        '{t.The} could not walk, after all.',
        '{o.S} was quite sure of the place.',
        'Had somebody taken it?',
      ),
    ),
    ...pick(
      [
        3,
        [
          ...say(
            '{f.S} [pointed|laughed]. "Look {V}!"',
            '"Try {V}," said {f}[ with a grin|].',
            '"It is {V}," said {f}.',
            '"Perhaps it is {V}," said {f}.',
            '"Maybe somebody put it {V}," said {f}.',
            '{f.S} looked in the direction of {V}.',
            '"You are cold here. Try {V}," said {f}.',
            '"Have you looked {V}?" asked {f}.',
            '{f.S} whispered into {o.own} ear: "Look {V}."',
          ),
          ...say(
            'And there it was.',
            '{o.S} did so and found it.',
            'There {o.he} found it.',
            '{o.S} ran to look, and that was right.',
            '{o.S} looked {V}, and there it was.',
            'There was {t.the}, safe and sound.',
          ),
        ],
      ],
      [
        2,
        say(
          '[At last|After a long search], {o.s} found it {V}.',
          'Then {o.s} looked {V} and saw something {t.c}. It was {t.the}.',
          'Much later, {o.s} found it {V}.',
          'It was {V}. {o.S} found it [by chance|at last|without help].',
        ),
      ],
      [
        2,
        [
          ...say(
            '"Is it {W}?" asked {o}. "No, it is {V}," <replies> {f}.',
            '"I looked {W} as well," said {o}. "Then try {V}," said {f}.',
            '"Did you put it {W}?" asked {o}. "No, {V}," <replies> {f}.',
            '{o.S} looked {W} too, but {f} said that it was {V}.',
          ),
          ...say('{o.S} [ran|went] to see. There it was.', '{o.S} found it {V}.', 'And that was right.'),
        ],
      ],
    ),
    ...maybe(
      0.6,
      when(
        (world) => world.get('w') === 'H',
        say(
          '"Who put it {V}?" asked {o}. "{H.Cap} did," <replies> {f}.',
          '"Did you put it {V}?" asked {o}. "No, {H} did," <replies> {f}.',
        ),
        say(
          '"Who put it {V}?" asked {o}. "I did," <replies> {f}.',
          '"I am sorry," said {f}. "I only wanted to [help|play|make you laugh]."',
          '"Did you put it {V}?" asked {o}. "Yes, I did," <replies> {f}.',
        ),
      ),
    ),
    ...maybe(
      0.35,
      when(
        (world) => world.get('w') === 'H',
        say(
          '{o.S} [laughed|had to laugh|smiled], and [soon|then] they [were playing again|both laughed].',
          '{o.S} was [too glad to be angry|not angry at all].',
          '{o.S} did not let go of it after that.',
          '{o.S} looked for a better place next time.',
        ),
        say(
          '{o.S} [laughed|had to laugh|smiled], and [soon|then] they [were playing again|both laughed].',
          '"Next time, ask me first," said {o}.',
          '"Very funny," said {o}.',
          '"Let us call it a game," said {o}.',
          '{o.S} hid it somewhere else after that.',
          '{o.S} was [too glad to be angry|not angry at all].',
        ),
      ),
    ),
    ...fact('looked.*', 'Where did {o.you} look first for the {t.one}', '{U.Cap}', 'place'),
    ...fact('moved.*', 'Who had moved {o.your} {t.one}', '{w.Who} had', 'name'),
    ...fact('was.*', 'Where was {o.your} {t.one} in the end', '{V.Cap}', 'place'),
  ],
};

// ---- the same thing in two colors is mixed up

const mixUp: Episode = {
  name: 'mix-up',
  weight: 14,
  length: 3,
  suits: (world) => world.has('twins'),
  steps: [
    ...anotherAdult,
    ...aboutThing(),
    ...act((world) => world.set('u', world.get('t') === 'X' ? 'Y' : 'X')),
    ...say(
      'They [left|put] their things [side by side|in a corner|next to each other|on the ground] and went to [eat lunch|have a race|play tag|look at something else].',
      'They [left|put] their things [side by side|in a corner|next to each other|on the ground] and [told each other stories|ate some bread|rested for a while].',
    ),
    ...pick(
      [
        3,
        [
          ...say(
            'When they came back, {f} [picked up|took] {t.the} [by mistake|without looking].',
            'Later, {f} was in a hurry and [picked up|took] {t.the}.',
            '{f.S} [grabbed|took] {t.the} and [went off with it|wanted to leave].',
            'Afterwards, {f} was holding {t.the} without knowing it.',
            'Then {f} put {t.the} under one arm and wanted to go.',
            'When it was time to go, {f} reached for {t.the}.',
            'It had grown a little dark, and {f} took {t.the}.',
            '{f.S} came back first and took {t.the} without thinking.',
          ),
          ...say(
            '"[Wait|Stop|Hey]!" [called|said] {o}. "That is [mine|not yours]."',
            '"That is my {t.c} {t}," said {o}. "Yours is {u.c}."',
            '"Open your eyes," said {o}. "The {t.c} one is mine."',
            '"Look again," said {o}. "Yours is {u.c}."',
            '{o.S} [looked around|frowned]. "Where is my {t.c} {t}?"',
          ),
          ...maybe(
            0.5,
            say(
              '"Oh, I am sorry," said {f}. "[Mine|My {t}] is {u.c}."',
              '"You are right," said {f}. "Mine is {u.c}."',
              '{f.S} [blushed|laughed]. "I did not look."',
              '{f.S} looked at it. "So it is! Mine is {u.c}."',
              '"How silly of me," said {f}. "Mine is {u.c}."',
            ),
          ),
          ...say(
            '{f.S} gave {t.the} [back to|to] {o} and took {u.the}.',
            'So {o} took {t.the}, and {f} took {u.the}.',
            '{o.S} got {t.the}, and {f} got {u.the}.',
            'Now {o} had {t.the} again, and {f} had {u.the}.',
            '{f.S} put {t.the} down and picked up {u.the}.',
            'They changed back, and each had the right {t}.',
            'So {f} went back and got {u.the} instead.',
          ),
          ...fact('mixed', 'Who took the wrong {t}', '{f.Who} did', 'name'),
        ],
      ],
      [
        2,
        [
          ...say(
            '<soon>, {H} found {t.the}.',
            '{H.S} [came by|walked past] and picked up {t.the}.',
            '{H.S} almost [tripped over|sat down on|stepped on] {t.the}.',
            '{H.S} held up {t.the}.',
            'When they came back, {H} was holding {t.the}.',
          ),
          ...say(
            '"Whose {t} is {t.c}?" asked {H}. "{o.own}," <replies> {f}.',
            '"Whose {t} is this?" asked {H}. "[Mine|It is mine]," <replies> {o}.',
            '"Is this your {t}, {f}?" asked {H}. "No, mine is {u.c}," <replies> {f}.',
            '"Who has {t.ac} {t}?" asked {H}. "I do," <replies> {o}.',
            '"Who left this {t} here?" asked {H}. "[I did|Me]," <replies> {o}.',
            '"{t.C}? Is that yours, {f}?" asked {H}. "No, {o.own}," <replies> {f}.',
          ),
          ...say(
            '{H.S} gave it to {o}.',
            '{H.S} let {o} have it.',
            'So {t.the} went back to {o}.',
            'So {o} got {t.the} [back|].',
            '{H.S} [smiled|nodded] and [gave|handed] {t.the} to {o}.',
          ),
          ...fact('mixed', 'Who picked up {o.your} {t.c} {t}', '{H.Cap} did', 'name'),
        ],
      ],
    ),
    ...maybe(
      0.5,
      say(
        '"Shall we swap?" asked {f}. "No, I like mine," <replies> {o}.',
        'They wrote their names on them[, just to be sure|].',
        'They decided to [be more careful|put their names on them|trade now and then].',
        'After that, they always [asked first|looked twice].',
        'They [both laughed|shook hands].',
        '"[We should be more careful|They look so alike|That was close]," said {o}.',
      ),
    ),
  ],
};

export const HIDING: readonly Episode[] = [hide, mixUp];
