import { act, maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { anotherAdult, eitherChild, type Episode, fact, forget, isHere, isOutdoors, set } from '../facts/steps.ts';
import { newcomer } from './asides.ts';

/** The third child, if one is there, or one who comes now. */
const third: readonly Node[] = [...when(isHere('C'), [], newcomer), ...set({ g: 'C' })];

const cups: Episode = {
  name: 'cups',
  weight: 4,
  length: 2,
  suits: () => true,
  steps: [
    ...forget('side', 'swap', 'swap2', 'guess', 'pea'),
    ...eitherChild,
    ...say(
      '{f.S} had three cups and a {pea}.',
      '{f.S} put three cups on a [box|board|table] and took a {pea}.',
      '"Do you know the game with the three cups?" asked {f}, and took a {pea}.',
      'Then {f} showed {o} a trick with three cups and a {pea}.',
      '"I bet you cannot find the {pea}," said {f}, and set out three cups.',
      '{f.S} turned three cups upside down and held up a {pea}.',
      'There were three cups in a row, and {f} had a {pea}.',
    ),
    ...say(
      '{f.S} put the {pea} under the {side} cup.',
      'The {pea} went under the {side} cup.',
      'At first, the {pea} was under the {side} cup.',
    ),
    ...say(
      'Then {f} swapped {swap}.',
      '{f.S} swapped {swap}, very fast.',
      '"Watch closely," said {f}, and swapped {swap}.',
    ),
    ...maybe(0.6, say('After that, {f} swapped {swap2}.', 'Then {f.he} swapped {swap2} as well.')),
    ...say(
      '"Where is it now?" asked {f}. "Under the {guess} cup," <replies> {o}.',
      '{o.S} pointed to the {guess} cup.',
      '"It must be under the {guess} cup," said {o}.',
      '{o.S} lifted the {guess} cup.',
      '{o.S} thought hard and chose the {guess} cup.',
      '"I say the {guess} cup," said {o}.',
    ),
    ...when(
      (world) => world.get('guess') === cupNow(world.get('side') ?? '', world.get('swap') ?? '', world.get('swap2')),
      say(
        '{o.S} was right!',
        'And there it was!',
        'It was there. "How did you know?" asked {f}.',
        '"Right!" <cries> {f}.',
      ),
      say(
        'But the {pea} was under the {now} cup.',
        'That cup was empty. "It is under the {now} cup," said {f}.',
        '"Wrong!" <cries> {f}, and lifted the {now} cup. There it was.',
        '{f.S} laughed. The {pea} was under the {now} cup.',
        'No, it was under the {now} cup.',
        '"Not quite," said {f}. It was under the {now} cup.',
      ),
    ),
    ...fact('cups', 'Under which cup was the {pea} in the end', 'Under the {now} one', 'place'),
    ...fact('guess', 'Which cup did {o.you} point to', 'The {guess} one', 'place'),
    ...fact('start', 'Under which cup was the {pea} at first', 'Under the {side} one', 'place'),
  ],
};

function cupNow(side: string, swap: string, swap2: string | undefined): string {
  const after = (at: string, pair: string): string => {
    const [a, b] = pair.split('|');
    return at === a ? b : at === b ? a : at;
  };
  const once = after(side, swap);
  return swap2 === undefined ? once : after(once, swap2);
}

const share: Episode = {
  name: 'share',
  weight: 4,
  length: 2,
  suits: () => true,
  steps: [
    ...forget('food', 'n', 'k', 'more'),
    ...eitherChild,
    ...say(
      '{o.S} had {n} {food} in a [bag|basket|bowl].',
      '{o.S} had [brought|bought] {n} {food}.',
      'In {o.own} [bag|pocket|basket] there were {n} {food}.',
      '"I have {n} {food}," said {o}.',
      '{o.S} [opened|took out] a [bag|box] of {food}. There were {n} of them.',
    ),
    ...pick(
      [1, say('{o.S} gave {k} of them to {f} and kept {rest}.', '{o.S} gave {k} to {f}, so {rest} were left.')],
      [
        2,
        [
          ...say(
            '{f.S} ate {k} of them.',
            '{o.S} gave {f} {k} {food}.',
            '{f.S} got {k} of them.',
            '{f.S} took {k} {food}.',
            '"Take {k}," said {o}, and {f} did.',
            '"You may have {k}," said {o}.',
            'But {k} of them were bad.',
          ),
          ...say(
            '"How many [are left|do you have now]?" asked {f}. "{rest.Cap}," <replies> {o}.',
            '"Now I have {rest}," said {o}.',
            '{o.S} counted the rest. There were {rest}.',
          ),
        ],
      ],
    ),
    ...maybe(0.5, [
      ...anotherAdult,
      ...say(
        'Then {H} gave {o} {more} more.',
        'Luckily, {H} came and added {more}.',
        'A little later, {o} found {more} more in {o.his} pocket.',
      ),
      ...say(
        'Now {o} had {all}.',
        '"That makes {all}," said {o}.',
        'Together, that was {all}.',
        '{o.S} counted again. There were {all}.',
        'That made {all} in all.',
        '"How many is that?" asked {f}. "{all.Cap}," <replies> {o}.',
      ),
      ...fact('food', 'How many {food} did {o.you} have in the end', '{all.Cap}', 'number'),
    ]),
    ...fact('many', 'How many {food} did {o.you} have at first', '{n.Cap}', 'number'),
  ],
};

const hunt: Episode = {
  name: 'hunt',
  weight: 3,
  length: 3,
  suits: () => true,
  steps: [
    ...forget('U', 'V', 'W', 'prize'),
    ...anotherAdult,
    ...say(
      '{H.S} had planned a treasure hunt for them.',
      '"Today there is a treasure hunt," said {H}.',
      '{H.S} gave them a treasure map and winked.',
      'Suddenly, {A} found a letter from {H} about a treasure.',
      'There was a surprise that day: a treasure hunt, made by {H}.',
      '"Would you like to go on a treasure hunt?" asked {H}. "Yes!" <cries> {A}.',
    ),
    ...say(
      'The first note said: "Look {U}."',
      '"Go and look {U}," said the first note.',
      '"First, look {U}," said {H}.',
      'They had to begin {U}.',
      '"Begin {U}," said {H}.',
      '"Look {U}, and then think," said {H}.',
    ),
    ...say(
      'They found a note there. "Now look {V}," it said.',
      'There was a note: "Now look {V}."',
      'There, {B} found a note that said: "Look {V}."',
    ),
    ...maybe(
      0.6,
      say(
        '{V.Cap} there was another note: "The treasure is {W}."',
        'They ran on. The next note said that the treasure was {W}.',
        '{V.Cap}, {A} found the last note. It said: "Look {W}."',
      ),
    ),
    ...when(
      (world) => world.has('W'),
      say('And {W} they found {prize}.', '{W.Cap} was the treasure: {prize}!', 'They ran there and found {prize}.'),
      say('And {V} they found {prize}.', '{V.Cap} was the treasure: {prize}!', 'They ran there and found {prize}.'),
    ),
    ...maybe(
      0.5,
      say(
        'They shared it, of course.',
        '"Hurray!" cried {A}.',
        '"Who hid it?" asked {A}. "I did," <replies> {H}.',
        '"That was easy," said {B}.',
        'They were so proud.',
        '{A.S} wanted to do it all again.',
        '{B} thanked {H}.',
        '"Half for you, half for me," said {A}.',
      ),
    ),
    ...fact('treasure', 'What was the treasure', '{prize.Cap}', 'thing'),
    ...fact('note', 'Where did you begin the treasure hunt', '{U.Cap}', 'place'),
    ...fact('hunt', 'Who had planned the treasure hunt', '{H.Cap} had', 'name'),
    ...when(
      (world) => world.has('W'),
      fact('hidden', 'Where was the treasure', '{W.Cap}', 'place'),
      fact('hidden', 'Where was the treasure', '{V.Cap}', 'place'),
    ),
  ],
};

const contest: Episode = {
  name: 'contest',
  weight: 4,
  length: 1,
  suits: () => true,
  steps: [
    ...forget('score', 'score2'),
    ...eitherChild,
    ...pick(
      [
        1,
        [
          ...say('They tried to see who could jump farther.', '"I can jump farther than you," said {o}.'),
          ...say(
            '{o.S} jumped {score} feet, and {f} jumped {score2}.',
            'First, {o} jumped {score} feet. Then {f} jumped {score2}.',
          ),
          ...fact('score', 'How far did {o.you} jump', '{score.Cap} feet', 'number'),
        ],
      ],
      [
        1,
        [
          ...say(
            'They tried to see who could stand on one leg longer.',
            '"I can stand on one leg longer than you," said {o}.',
          ),
          ...say(
            '{o.S} stood for {score} minutes, and {f} for {score2}.',
            'First, {o} stood for {score} minutes. Then {f} stood for {score2}.',
          ),
          ...fact('score', 'How long did {o.you} stand on one leg', '{score.Cap} minutes', 'number'),
        ],
      ],
      [
        1,
        [
          ...when(
            isOutdoors,
            say(
              'They counted birds, each on a different side.',
              '"Let us see who finds more feathers," said {o}.',
              'They threw stones at an old can.',
            ),
            say(
              'They threw nuts into a pot.',
              '"Let us see who finds more buttons," said {o}.',
              'They threw rings over a bottle.',
            ),
          ),
          ...say(
            '{o.S} got {score}, and {f} got {score2}.',
            '"I have {score}," said {o}. "And I have {score2}," said {f}.',
          ),
          ...fact('score', 'How many did {o.you} get', '{score.Cap}', 'number'),
        ],
      ],
    ),
    ...act((world) => {
      const wins = (world.get<number>('score') ?? 0) > (world.get<number>('score2') ?? 0);
      world.set('w', world.get(wins ? 'o' : 'f'));
      world.set('l', world.get(wins ? 'f' : 'o'));
    }),
    ...say(
      'So {w} won.',
      '{w.S} had won, and {l} [clapped|wanted to try again|did not mind].',
      '"I won!" cried {w}.',
      '"You won," said {l} to {w}.',
      '{l.S} shook {w.own} hand.',
      '{w.S} took a bow.',
      '"Tomorrow I will win," said {l}.',
      '{l.S} lost, but {l.he} [laughed|was a good loser|took it well].',
    ),
    ...fact('won', 'Who won', '{w.Who} did', 'name'),
  ],
};

const pet: Episode = {
  name: 'pet',
  weight: 5,
  length: 2,
  suits: () => true,
  steps: [
    ...forget('pet', 'petName', 'collar', 'collar2'),
    ...anotherAdult,
    ...say(
      'A {pet} with {collar.a} ribbon around its neck [came up to them|was following them].',
      'All at once, they saw a {pet} with {collar.a} ribbon.',
      '"Look, a {pet}!" <cries> {B}. It had {collar.a} ribbon around its neck.',
      'A little {pet} with {collar.a} ribbon sat there all alone.',
    ),
    ...maybe(
      0.5,
      say(
        '"Are you lost?" asked {A}.',
        '{A.S} gave it some water.',
        '{B.S} stroked it gently.',
        'It looked hungry, so {B} gave it something to eat.',
        'It licked {A.own} hand.',
        '"What a sweet {pet}!" said {B}.',
        '{A.S} tied a string to the ribbon.',
        'It looked [tired|frightened|cold|very young].',
        '"Whose are you?" asked {B}.',
      ),
    ),
    ...pick(
      [2, []],
      [
        1,
        say(
          'A woman came by. "My {pet} has {collar2.a} ribbon," she said. "This one is not mine."',
          '"Is it yours?" they asked a man. "No, mine has {collar2.a} ribbon," he said.',
        ),
      ],
    ),
    ...say(
      '<soon>, {H} came running. "There you are, {petName}!"',
      '"Has anyone seen my {pet} {petName}?" asked {H}.',
      'Then {H} called: "{petName}! {petName}!"',
      '"That is {petName}!" <cries> {H}. "Thank you for finding my {pet}."',
      '"{petName}! At last!" <cries> {H}.',
      '"I have been looking for {petName} all [day|morning|week]," said {H}.',
      'It belonged to {H}, and its name was {petName}.',
    ),
    ...maybe(
      0.6,
      say(
        '{petName} ran to {H} at once.',
        '"You must be more careful, {petName}," said {H}.',
        '"May we play with {petName} tomorrow?" asked {A}. "<surely>," <replies> {H}.',
        '{H.S} was so <glad> that {H.he} gave each of them a coin.',
      ),
    ),
    ...fact('petName', 'What was the {pet} called', '{petName}', 'name'),
    ...fact('pet', 'Whose {pet} was it', 'It belonged to {H}', 'name'),
    ...fact('ribbon', 'What color was the ribbon of the {pet}', '{collar.Cap}', 'color'),
  ],
};

const errand: Episode = {
  name: 'errand',
  weight: 3,
  length: 3,
  suits: () => true,
  steps: [
    ...forget('food', 'food2', 'food3', 'n', 'n2', 'n3', 'forgot'),
    ...anotherAdult,
    ...say(
      '{H.S} sent them to the shop.',
      '"Can you go to the shop for me?" asked {H}.',
      'Then {H} needed something from the shop.',
    ),
    ...say(
      '"Please buy {n2} {food}, {n3} {food2}, and some {food3}," said {H}.',
      '"I need {n2} {food}, {n3} {food2}, and some {food3}," said {H}.',
    ),
    ...pick([1, set({ forgot: 1 })], [1, set({ forgot: 2 })], [1, set({ forgot: 3 })]),
    ...act((world) => {
      const all = ['food', 'food2', 'food3'].map((key) => world.get<string>(key) ?? '');
      const left = (world.get<number>('forgot') ?? 1) - 1;
      const [one, two] = all.filter((_, i) => i !== left);
      world.set('forgot', all[left]);
      world.set('bought', one);
      world.set('bought2', two);
    }),
    ...say(
      'They came back with the {bought} and the {bought2}.',
      'At the shop, they bought the {bought} and the {bought2}.',
      '{A.S} carried the {bought}, and {B} carried the {bought2}.',
      '"Here are the {bought} and the {bought2}," said {A}.',
    ),
    ...say(
      '"And the {forgot}?" asked {H}.',
      'They had forgotten the {forgot}!',
      '"What is missing?" asked {H}. "The {forgot}!" <cries> {B}.',
      '"Oh, the {forgot}!" cried {A}.',
    ),
    ...say(
      'So they had to go back.',
      '"Never mind," said {H}.',
      '{B.S} ran back and got them.',
      'Everybody laughed.',
      '"You will have to go again," said {H}.',
      '"I knew we forgot something," said {A}.',
      'So there was nothing but [soup|porridge|bread] for lunch.',
    ),
    ...fact('forgot', 'What did you forget at the shop', 'The {forgot}', 'thing'),
    ...fact('buy', 'How many {food} did you have to buy', '{n2.Cap}', 'number'),
    ...fact('sent', 'Who sent you to the shop', '{H.Cap} did', 'name'),
  ],
};

const late: Episode = {
  name: 'late',
  weight: 3,
  length: 3,
  suits: () => true,
  steps: [
    ...forget('event', 'hour', 'hour2'),
    ...third,
    ...eitherChild,
    ...say(
      'There was a {event} that day. It began at {hour}.',
      '"There is a {event} at {hour}," said {o}.',
      '"When does the {event} begin?" asked {f}. "At {hour}," <replies> {o}.',
    ),
    ...pick(
      [
        2,
        [
          ...say(
            'But {f} told {C} that it began at {hour2}.',
            '"It begins at {hour2}," said {f} to {C}, without thinking.',
            '{f.S} mixed it up and said {hour2} to {C}.',
          ),
          ...when(
            (world) => (world.get<number>('hour2') ?? 0) > (world.get<number>('hour') ?? 0),
            say(
              'So {C} came too late.',
              'So {C} missed [the beginning|half of it].',
              'When {C} came, it had already begun.',
            ),
            say('So {C} came too early.', 'So {C} had to wait.', 'When {C} came, nobody else was there yet.'),
          ),
          ...say(
            '"I am sorry," said {f}.',
            '"You said {hour2}!" <cries> {C} to {f}.',
            '"Who told you that?" asked {o}. "{f} did," <replies> {C}.',
            'But {C} was not angry with {f}.',
          ),
          ...fact('told', 'Who told {C} the wrong time', '{f.Who} did', 'name'),
          ...fact('came', 'When did {C} come', 'At {hour2}', 'number'),
        ],
      ],
      [
        1,
        [
          ...say(
            '{f.S} told {C} about it, and they all went there together.',
            'At {hour}, all three of them were there.',
            '{C.S} came along too.',
          ),
          ...say('It was [wonderful|very funny|a bit too long].', 'They [clapped|laughed] until it was over.'),
        ],
      ],
    ),
    ...fact('event', 'When did the {event} begin', 'At {hour}', 'number'),
  ],
};

export const GAMES_AND_SUMS: readonly Episode[] = [cups, share, hunt, contest, pet, errand, late];
