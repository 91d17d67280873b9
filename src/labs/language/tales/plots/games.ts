import { act, maybe, pick, say, when } from '../grammar/grammar.ts';
import { anotherAdult, eitherChild, type Episode, fact, forget, isOutdoors } from '../facts/steps.ts';

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
      '{f.S} knew a game with three cups and a {pea}.',
      '"Find the {pea}!" said {f}, and set out three cups.',
      'With three cups and a {pea}, {f} began a game.',
    ),
    ...say(
      '{f.S} put the {pea} under the {side} cup.',
      'The {pea} went under the {side} cup.',
      'At first, the {pea} was under the {side} cup.',
      'Under the {side} cup went the {pea}.',
      '{o.S} saw the {pea} go under the {side} cup.',
      '{f.S} hid the {pea} under the {side} cup.',
    ),
    ...say(
      'Then {f} swapped {swap}.',
      '{f.S} swapped {swap}, very fast.',
      '"Watch closely," said {f}, and swapped {swap}.',
      '"Now look," said {f}, and swapped {swap}.',
      'In a flash, {f} swapped {swap}.',
      '{f.S} smiled and swapped {swap}.',
    ),
    ...maybe(
      0.6,
      say(
        'After that, {f} swapped {swap2}.',
        'Next, {f} swapped {swap2}.',
        'And once more: {f} swapped {swap2}.',
        'Then {f.he} swapped {swap2} as well.',
      ),
    ),
    ...say(
      '"Where is it now?" asked {f}. "Under the {guess} cup," <replies> {o}.',
      '{o.S} pointed to the {guess} cup.',
      '"It must be under the {guess} cup," said {o}.',
      '{o.S} lifted the {guess} cup.',
      '{o.S} thought hard and chose the {guess} cup.',
      '"I say the {guess} cup," said {o}.',
      '{o.S} tapped on the {guess} cup.',
      '"The {guess} one!" <cries> {o}.',
      '{o.S} was sure that it was the {guess} cup.',
      '"I bet it is under the {guess} cup," said {o}.',
    ),
    ...when(
      (world) => world.get('guess') === cupNow(world.get('side') ?? '', world.get('swap') ?? '', world.get('swap2')),
      say(
        '{o.S} was right!',
        'And there it was!',
        '{f.S} lifted it, and there was the {pea}.',
        '"Well done," said {f}.',
        '{o.S} had watched well.',
        '"Nobody ever gets that right," said {f}.',
        'It was there. "How did you know?" asked {f}.',
        '"Right!" <cries> {f}.',
      ),
      say(
        'But the {pea} was under the {now} cup.',
        'That cup was empty. "It is under the {now} cup," said {f}.',
        '"Wrong!" <cries> {f}, and lifted the {now} cup. There it was.',
        '{f.S} laughed. The {pea} was under the {now} cup.',
        'No, it was under the {now} cup.',
        'There was nothing. It was under the {now} cup.',
        '"Nearly," said {f}, and lifted the {now} cup.',
        '{o.S} was wrong: it was under the {now} cup.',
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
      'A treasure hunt! {H.Cap} had thought of everything.',
      '{H.S} [whispered|said] something about a treasure and gave them the first note.',
      '"Who wants to find a treasure?" <cries> {H}.',
      '"Would you like to go on a treasure hunt?" asked {H}. "Yes!" <cries> {A}.',
    ),
    ...say(
      'The first note said: "Look {U}."',
      '"Go and look {U}," said the first note.',
      '"First, look {U}," said {H}.',
      'They had to begin {U}.',
      'The map showed a cross {U}.',
      '"Your way begins {U}," said {H}.',
      '"The cross on the map is {U}," said {H}.',
      '"Begin {U}," said {H}.',
      '"Look {U}, and then think," said {H}.',
    ),
    ...say(
      'They found a note there. "Now look {V}," it said.',
      'There was a note: "Now look {V}."',
      'A small note there said: "Next, look {V}."',
      'They read the next note: "Look {V}."',
      '"Look {V}," said the note that {A} found there.',
      'There, {B} found a note that said: "Look {V}."',
    ),
    ...maybe(
      0.6,
      say(
        '{V.Cap} there was another note: "The treasure is {W}."',
        'They ran on. The next note said that the treasure was {W}.',
        'But there was only a note: "It is {W}."',
        '"Not here, but {W}," said the note there.',
        '{V.Cap} they read: "Nearly there! Look {W}."',
        '{V.Cap}, {A} found the last note. It said: "Look {W}."',
      ),
    ),
    ...when(
      (world) => world.has('W'),
      say(
        'And {W} they found {prize}.',
        '{W.Cap} was the treasure: {prize}!',
        'They ran there and found {prize}.',
        'There it was: {prize}!',
        '{B.S} got there first and found {prize}.',
      ),
      say(
        'And {V} they found {prize}.',
        '{V.Cap} was the treasure: {prize}!',
        'They ran there and found {prize}.',
        'There it was: {prize}!',
        '{B.S} got there first and found {prize}.',
      ),
    ),
    ...maybe(
      0.5,
      say(
        'They shared it, of course.',
        '"Hurray!" cried {A}.',
        '"Who hid it?" asked {A}. "I did," <replies> {H}.',
        '"That was easy," said {B}.',
        '{H.S} [clapped|laughed|was proud of them].',
        '{B.S} carried it all the way back.',
        '"I saw it first!" <cries> {B}.',
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
          ...say(
            'They tried to see who could jump farther.',
            'They had a jumping contest.',
            '"Who can jump farther?" asked {o}.',
            '"I can jump farther than you," said {o}.',
          ),
          ...say(
            '{o.S} jumped {score} feet, and {f} jumped {score2}.',
            'First, {o} jumped {score} feet. Then {f} jumped {score2}.',
            '{o.S} managed {score} feet, and {f} managed {score2}.',
            'With {score} feet for {o} and {score2} for {f}, it was clear.',
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
            '{o.S} managed {score} minutes, and {f} managed {score2}.',
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
              'They tried to hit a tree with a ball.',
              '"Let us see who finds more [snails|acorns|daisies|pebbles]," said {o}.',
            ),
            say(
              'They threw nuts into a pot.',
              'They tried to hit a bell with a ball.',
              '"Let us see who can name more [rivers|birds|cities|flowers]," said {o}.',
              '"Let us see who finds more buttons," said {o}.',
              'They threw rings over a bottle.',
            ),
          ),
          ...say(
            '{o.S} got {score}, and {f} got {score2}.',
            '{f.S} had {score2} in the end, and {o} had {score}.',
            'They counted: {score} for {o}, {score2} for {f}.',
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
      'Nobody was surprised that {w} won.',
      'The winner was {w}.',
      '"Well done, {w}," said {l}.',
      '{w.S} was <glad> to win.',
      '{l.S} wanted to [try again|see that again|have another go].',
      '"That was luck," said {l} to {w}.',
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

export const GAMES: readonly Episode[] = [cups, hunt, contest];
