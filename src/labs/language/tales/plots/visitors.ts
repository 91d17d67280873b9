import { maybe, type Node, pick, say } from '../grammar/grammar.ts';
import { anotherAdult, eitherChild, type Episode, fact, forget, isHere, isOutdoors, set } from '../facts/steps.ts';

/** A person asks the way. */
const way: Episode = {
  name: 'way',
  weight: 4,
  length: 1,
  suits: isOutdoors,
  steps: [
    ...forget('goal', 'mark', 'mark2', 'turn', 'turn2'),
    ...anotherAdult,
    ...eitherChild,
    ...say(
      '"How do I get to the {goal}?" asked {H}.',
      '{H.S} came by and asked for the way to the {goal}.',
      '{H.S} was lost and looked for the {goal}.',
      '"Is this the way to the {goal}?" asked {H}. "No," <replies> {f}.',
      '{H.S} stopped and asked where the {goal} was.',
    ),
    ...say(
      '"Go {turn} at the {mark} and then {turn2} at the {mark2}," said {o}.',
      '"First {turn} at the {mark}, then {turn2} at the {mark2}," said {o}.',
      '{o.S} knew it: {turn} at the {mark} and {turn2} at the {mark2}.',
      '"Turn {turn} at the {mark}, and at the {mark2} turn {turn2}," <replies> {o}.',
      '"To the {mark}, then {turn} to the {mark2}, and there {turn2}," said {o}.',
    ),
    ...maybe(
      0.5,
      say(
        '{H.S} thanked {o.o} and went on.',
        '"I hope that was right," said {f}.',
        '"You know your way around," said {H} to {o}.',
        '{H.S} [nodded|repeated it|wrote it down|forgot it at once].',
        '{f.S} drew a map of it in the [sand|dust].',
      ),
    ),
    ...fact('goal', 'Where did {H} want to go', 'To the {goal}', 'place'),
    ...fact('turn', 'Which way was it at the {mark}', '{turn.Cap}', 'place'),
    ...fact('turn2', 'Which way was it at the {mark2}', '{turn2.Cap}', 'place'),
    ...fact('wayfarer', 'Who asked for the way', '{H.Cap} did', 'name'),
  ],
};

/** A letter from far away. */
const letter: Episode = {
  name: 'letter',
  weight: 4,
  length: 1,
  suits: () => true,
  steps: [
    ...forget('land', 'month', 'n2'),
    ...anotherAdult,
    ...eitherChild,
    ...say(
      '{o.S} had a letter from {H}, who was in {land}.',
      '{o.S} took a letter out of {o.his} pocket. {H.Cap} had sent it from {land}.',
      '"{H.Cap} has written to me from {land}," said {o}.',
      '{o.S} showed {f} a postcard from {land}. It was from {H}.',
      'Somebody had brought {o} a letter from {land}. {H.Cap} had written it.',
      'That day, {o} had got a letter from {land}. It was from {H}.',
    ),
    ...say(
      '"I will be back in {month}," it said.',
      '{o.S} read aloud: "I am coming home in {month}."',
      '{H.Cap} had been there for {n2} weeks and would stay until {month}.',
      '"It has rained here for {n2} days," {f} read. "I will stay until {month}."',
      '"In {month} we will meet again," it said at the end.',
      'It said that the journey would last until {month}.',
    ),
    ...maybe(
      0.5,
      say(
        '{o.S} wanted to go there too.',
        '"That is far away," said {f}.',
        '{f.S} looked for {land} on a map.',
        'There was a stamp with [a ship|a lion|a queen|a bridge|a palm tree] on it.',
        '"I miss {H}," said {o}.',
        '{f.S} would have liked to keep the stamp.',
      ),
    ),
    ...fact('land', 'Where is {H} now', 'In {land}', 'place'),
    ...fact('writer', 'Who is in {land}', '{H.Cap}', 'name'),
    ...fact('home', 'When will {H} come back', 'In {month}', 'thing'),
  ],
};

/** The children play shop: the price, and the change. */
const shop: Episode = {
  name: 'shop',
  weight: 4,
  length: 1,
  suits: () => true,
  steps: [
    ...forget('n', 'k', 'counted'),
    ...eitherChild,
    ...say(
      'They played shop, and {o} had {counted} to sell.',
      '"Let us play shop," said {o}. "I sell {counted}."',
      '"[Fresh|Cheap|Fine] {counted}!" called {o}, who was playing shop.',
      '{o.S} set up a little shop with {counted}.',
    ),
    ...say(
      '{f.S} paid with {n} coins. It cost {k}, so {f.he} got {rest} back.',
      '{f.S} had {n} coins and spent {k} of them. That left {rest}.',
      '{f.S} had {n} coins. "That will be {k}," said {o}, so {f} had {rest} left.',
      'Out of {n} coins, {f} spent {k} and kept {rest}.',
      '{f.S} put down {n} coins. "It is only {k}," said {o}, and gave back {rest}.',
    ),
    ...maybe(
      0.4,
      say(
        '"You are a good shopkeeper," said {f}.',
        'Then {o.he} closed the shop.',
        '{o.S} wrapped everything in [paper|leaves|an old newspaper].',
        '"Come again," said {o}.',
        'The coins were only [buttons|pebbles|bottle caps], of course.',
      ),
    ),
    ...fact('sold', 'What did {o.you} sell', '{counted.Cap}', 'thing'),
    ...fact('paid', 'How many coins did {f.you} spend', '{k.Cap}', 'number'),
    ...fact('kept', 'How many coins did {f.you} have left', '{rest.Cap}', 'number'),
  ],
};

const order = (first: string, second: string, last: string): Node[] => set({ w: first, g: second, l: last });

/** Three children run: who is first, who is last? */
const race: Episode = {
  name: 'race',
  weight: 8,
  length: 1,
  suits: isHere('C'),
  steps: [
    ...forget('mark'),
    ...say(
      'They ran a race to the {mark} and back.',
      '"Who is the fastest?" asked {A}. "To the {mark} and back!"',
      'All three ran to the {mark} and back.',
      '"I will race you to the {mark}," <cries> {B}.',
      '{C.S} wanted a race to the {mark}.',
    ),
    ...pick(
      [1, order('A', 'B', 'C')],
      [1, order('A', 'C', 'B')],
      [1, order('B', 'A', 'C')],
      [1, order('B', 'C', 'A')],
      [1, order('C', 'A', 'B')],
      [1, order('C', 'B', 'A')],
    ),
    ...say(
      '{w.S} was first, {g} second, and {l} last.',
      '{w.S} won, and {g} came in before {l}.',
      '{g.S} was faster than {l}, but {w} was faster still.',
      '{l.S} was last, and {w} was just ahead of {g}.',
      'First came {w}, then {g}, and then {l}.',
    ),
    ...maybe(
      0.4,
      say(
        '{l.S} [had a stitch|laughed about it|had lost a shoe on the way|said it was too hot].',
        '"Again!" <cries> {l}.',
        '{w.S} was not even out of breath.',
        'They [fell over laughing|sat down in a heap|were out of breath].',
      ),
    ),
    ...fact('first', 'Who was first in the race', '{w.Who} was', 'name'),
    ...fact('last', 'Who was last in the race', '{l.Who} was', 'name'),
    ...fact('ran', 'Where did you run to', 'To the {mark}', 'place'),
  ],
};

export const VISITORS: readonly Episode[] = [way, letter, shop, race];
