import { act, maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { anotherAdult, eitherChild, type Episode, fact, forget, isHere, set } from '../facts/steps.ts';
import { newcomer } from './asides.ts';

/** The third child, if present, or one who arrives now. */
const third: readonly Node[] = [...when(isHere('C'), [], newcomer), ...set({ g: 'C' })];

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
      '{o.S} had found {n} {food}.',
      '{o.S} put {n} {food} on a plate.',
      '"Look, {n} {food}!" <cries> {o}.',
      'For a snack, {o} had {n} {food}.',
      'Somebody had given {o} {n} {food}.',
      '"I have {n} {food}," said {o}.',
      '{o.S} [opened|took out] a [bag|box] of {food}. There were {n} of them.',
    ),
    ...pick(
      [
        1,
        say(
          '{o.S} gave {k} of them to {f} and kept {rest}.',
          '{f.S} got {k} of them, and {o} had {rest} left.',
          'They ate {k} of them, so {rest} were left.',
          '{k.Cap} went to {f}, so {o} kept {rest}.',
          '{o.S} gave {k} to {f}, so {rest} were left.',
        ),
      ],
      [
        2,
        [
          ...say(
            '{f.S} ate {k} of them.',
            '{o.S} gave {f} {k} {food}.',
            '{f.S} got {k} of them.',
            '{f.S} took {k} {food}.',
            '"Take {k}," said {o}, and {f} did.',
            '{o.S} let {f.o} have {k} of them.',
            'But {k} of them were bad.',
            'A bird stole {k} of them.',
            '{o.S} dropped {k} of them.',
            'They ate {k} of them at once.',
          ),
          ...say(
            '"How many [are left|do you have now]?" asked {f}. "{rest.Cap}," <replies> {o}.',
            '"Now I have {rest}," said {o}.',
            '{o.S} counted the rest. There were {rest}.',
            'That left {rest}.',
            'Now there were only {rest}.',
            '"There are {rest} left," said {f}.',
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
        'Then {f} found {more} more.',
        '{H.S} had {more} more and gave them to {o}.',
        '{o.S} bought {more} more from {H}.',
      ),
      ...say(
        'Now {o} had {all}.',
        '"That makes {all}," said {o}.',
        'Together, that was {all}.',
        '{o.S} counted again. There were {all}.',
        'That made {all} in all.',
        'So there were {all}.',
        'In the end, {o} had {all}.',
        '"Now we have {all}," said {o}.',
        '"How many is that?" asked {f}. "{all.Cap}," <replies> {o}.',
      ),
      ...fact('food', 'How many {food} did {o.you} have in the end', '{all.Cap}', 'number'),
    ]),
    ...fact('many', 'How many {food} did {o.you} have at first', '{n.Cap}', 'number'),
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
      'A {pet} came running. It had {collar.a} ribbon around its neck.',
      'Behind them sat a {pet} with {collar.a} ribbon.',
      'There was a {pet}, all by itself, with {collar.a} ribbon.',
      '{A.S} heard a sound. It was a {pet} with {collar.a} ribbon.',
      'A {pet} looked at them. Its ribbon was {collar}.',
    ),
    ...maybe(
      0.5,
      say(
        '"Are you lost?" asked {A}.',
        '{A.S} gave it some water.',
        '{B.S} stroked it gently.',
        'It looked hungry, so {B} gave it something to eat.',
        'It licked {A.own} hand.',
        'It [hid behind {A}|rolled on its back|sneezed|fell asleep at once].',
        '{A.S} [fed it|petted it|carried it around].',
        '{B.S} talked to it softly.',
        'It would not leave {B} alone.',
        '"Let us look for its home," said {A}.',
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
          'A boy asked about a {pet}, but his had {collar2.a} ribbon.',
          'They saw a note about a lost {pet} with {collar2.a} ribbon, but that was another one.',
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
      'Then they met {H}. "{petName}, come here!"',
      '{H.S} whistled. "{petName}! Home!"',
      '{H.S} knew it well. It was called {petName}.',
      '"You found {petName}!" <cries> {H}.',
    ),
    ...maybe(
      0.6,
      say(
        '{petName} ran to {H} at once.',
        '{H.S} [hugged|scolded|kissed] {petName}.',
        '{petName} seemed to like {A}.',
        '{petName} looked back [once|twice|for a long time].',
        'It was hard to say goodbye to {petName}.',
        '{H.S} told {petName} to be more careful.',
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
    ...forget('counted', 'counted2', 'uncounted', 'n2', 'n3', 'forgot'),
    ...anotherAdult,
    ...pick(
      [
        1,
        [
          ...say(
            '{H.S} sent them to the shop.',
            'Then {H} needed something from the shop.',
            '{H.S} gave them [a basket|a bag|some money|a list] and sent them shopping.',
            'They went shopping for {H}.',
            '{H.S} was too busy to go shopping.',
          ),
          ...say(
            '"Please buy {n2} {counted}, {n3} {counted2}, and some {uncounted}," said {H}.',
            '"I need {n2} {counted}, {n3} {counted2}, and some {uncounted}," said {H}.',
            '"Get me {n2} {counted}, {n3} {counted2}, and some {uncounted}," said {H}.',
            'On the list were {n2} {counted}, {n3} {counted2}, and some {uncounted}.',
            'They had to get {n2} {counted}, {n3} {counted2}, and some {uncounted}.',
          ),
        ],
      ],
      [
        1,
        say(
          '"Can you go to the shop for me?" asked {H}. "I need {n2} {counted}, {n3} {counted2}, and some {uncounted}."',
          '"Bring me {n2} {counted}, {n3} {counted2}, and some {uncounted} from the shop," said {H}.',
          '{H.S} sent them to buy {n2} {counted}, {n3} {counted2}, and some {uncounted}.',
          '{H.S} made a list: {n2} {counted}, {n3} {counted2}, and some {uncounted}.',
          '"Shopping time!" <cries> {H}. "{n2.Cap} {counted}, {n3} {counted2}, and some {uncounted}, please."',
        ),
      ],
    ),
    ...pick([1, set({ forgot: 1 })], [1, set({ forgot: 2 })], [1, set({ forgot: 3 })]),
    ...act((world) => {
      const all = ['counted', 'counted2', 'uncounted'].map((key) => world.get<string>(key) ?? '');
      const left = (world.get<number>('forgot') ?? 1) - 1;
      const [one, two] = all.filter((_, i) => i !== left);
      world.set('forgot', all[left]);
      world.set('bought', one);
      world.set('bought2', two);
    }),
    ...say(
      'They came back with the {bought} and the {bought2}.',
      'At the shop, they bought the {bought} and the {bought2}.',
      'They bought the {bought} and the {bought2}, and came back singing.',
      'Soon they had the {bought} and the {bought2} in a bag.',
      '{B.S} paid for the {bought} and the {bought2}.',
      'They put the {bought} and the {bought2} on the table.',
      '{A.S} carried the {bought}, and {B} carried the {bought2}.',
      '"Here are the {bought} and the {bought2}," said {A}.',
    ),
    ...say(
      '"And the {forgot}?" asked {H}.',
      'They had forgotten the {forgot}!',
      '"What is missing?" asked {H}. "The {forgot}!" <cries> {B}.',
      '"Oh, the {forgot}!" cried {A}.',
      '"Did you forget the {forgot}?" asked {H}.',
      'But nobody had thought of the {forgot}.',
      '{H.S} looked into the bag. "No {forgot}?"',
      '"I knew it: the {forgot}!" said {B}.',
    ),
    ...say(
      'So they had to go back.',
      '"Never mind," said {H}.',
      '{B.S} ran back for the {forgot}.',
      'Everybody laughed.',
      '"You will have to go again," said {H}.',
      '"I knew we forgot something," said {A}.',
      '"We will do without," said {H}.',
      '{H.S} went to get the {forgot} alone.',
      '{A.S} [blushed|sighed] and went again.',
      '"Next time, write it down," said {H}.',
      '"I can borrow some," said {H}.',
      'So there was nothing but [soup|porridge|bread] for lunch.',
    ),
    ...fact('forgot', 'What did you forget at the shop', 'The {forgot}', 'thing'),
    ...fact('buy', 'How many {counted} did you have to buy', '{n2.Cap}', 'number'),
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
      'A {event} was to begin at {hour}.',
      'They had heard of a {event} at {hour}.',
      '"Do not forget the {event} at {hour}," said {o}.',
      'Everybody was talking about the {event} at {hour}.',
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
            '{f.S} wrote a note to {C}: "It begins at {hour2}."',
            '"Come at {hour2}," said {f} to {C}.',
            '{C.S} asked {f} about the time. "At {hour2}," <replies> {f}.',
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
            '"It was not at {hour2}!" <cries> {C}.',
            '{f.S} [blushed|was sorry|looked away].',
            '{o.S} could not help laughing.',
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
            'They told {C}, and all three were there at {hour}.',
            '{C.S} kept a place for them, and at {hour} it began.',
          ),
          ...say(
            'It was [wonderful|very funny|a bit too long|over too soon].',
            'Afterwards, they [clapped|were hungry|were tired|talked about nothing else].',
            '{C.S} liked it best.',
          ),
        ],
      ],
    ),
    ...fact('event', 'When did the {event} begin', 'At {hour}', 'number'),
  ],
};

export const ERRANDS: readonly Episode[] = [share, pet, errand, late];
