import { act, maybe, type Node, type Option, pick, say, when } from '../grammar/grammar.ts';
import { type World } from '../grammar/world.ts';
import { fact, hasBoth, set } from '../facts/steps.ts';
import { type Fact } from '../facts/slots.ts';

/** Maximum number of facts to ask about; tales have fewer. */
const MAX_FACTS = 24;

/** Facts that hold at the end, whatever happened. */
const standing: readonly Node[] = [
  ...set({ t: 'X' }),
  ...ownedBy('X'),
  ...fact('color.*', 'What color is {o.your} {t}', '{t.C}', 'color'),
  ...fact('color.*/2', 'Who has the {t.full} now', '{o.Who} {o.do}', 'name'),
  {
    type: 'when',
    test: hasBoth,
    yes: [
      ...set({ t: 'Y' }),
      ...ownedBy('Y'),
      ...fact('color.*', 'What color is {o.your} {t}', '{t.C}', 'color'),
      ...fact('color.*/2', 'Who has the {t.full} now', '{o.Who} {o.do}', 'name'),
    ],
    no: [],
  },
  ...fact('where', 'Where were you today', '{P.In}', 'place'),
  ...fact('with', 'Who was with you', '{B}', 'name'),
];

function ownedBy(thing: string): Node[] {
  return act((world) => world.set('o', world.get(`${thing}.owner`)));
}

/** Facts about the same thing, `likes` and `likes/2`: only one of them is asked. */
const stem = (key: string): string => key.split('/')[0];

const openFact = (world: World, i: number): Fact | undefined => {
  const one = (world.get<readonly Fact[]>('facts') ?? [])[i];
  return one && !(world.get<readonly string[]>('asked') ?? []).includes(stem(one.key)) ? one : undefined;
};

/** One of the facts that were not asked about. */
const anyFact: readonly Node[] = [
  {
    type: 'choice',
    options: Array.from({ length: MAX_FACTS }, (_, i): Option => {
      const choose = act((world) => {
        const one = openFact(world, i);
        world.set('fact', one);
        world.set('asked', [...(world.get<readonly string[]>('asked') ?? []), stem(one?.key ?? '')]);
      });
      return { weight: (world) => (openFact(world, i) ? 1 : 0), nodes: choose, lead: '' };
    }),
  },
];

const question: readonly Node[] = [
  ...anyFact,
  ...pick(
    [5, say('"{fact.q}?" asked {A.own} {K}. "{fact.a}," [said|answered] {A}.', [4, '"{fact.q}?" "{fact.a}."'])],
    [
      (world) => (world.has('paused') ? 0 : 2),
      [
        ...say(
          '"{fact.q}?" {A.S} [did not have to think|thought for a moment|knew at once|grinned|yawned|remembered]. "{fact.a}."',
        ),
        ...set({ paused: true }),
      ],
    ],
  ),
];

export const evening: readonly Node[] = [
  ...standing,
  ...say(
    '[At home|In the evening|That evening], {A.own} {K} [asked|wanted to know] what had happened.',
    '[At home|In the evening|At supper], {A.own} {K} had [some|a few] questions.',
    'In the evening, {A} told {A.his} {K} [everything|the whole story].',
    'At bedtime, {A.own} {K} asked about the day.',
    '[At home|In the evening|At supper|At bedtime], {A} [had a lot to tell|could not stop talking], and {A.his} {K} listened.',
    '{A.own} {K} [was waiting at the door|came to fetch {A.him}|called that evening] and asked about everything.',
    'Over [soup|tea|dinner], {A.own} {K} wanted to hear all about it.',
  ),
  ...question,
  ...when((world) => (world.get<number>('length') ?? 0) <= 5, maybe(0.8, question), maybe(0.3, question)),
  ...when((world) => (world.get<number>('length') ?? 0) <= 4, maybe(0.4, question)),
];

export const closing: readonly Node[] = say(
  '{A.S} [slept well|smiled in {A.his} sleep|dreamed about it|could not fall asleep for joy] that night.',
  'It was a [good|wonderful|fine|happy|long] day [after all|].',
  '{A} and {B} [were friends from then on|stayed best friends|laughed about it for a long time|talked about it all week].',
  '[And that was that|That was the end of it|Nobody ever forgot that day|And so the day ended well].',
  'From that day on, {A} was [more careful|a little braver|kinder to everyone|never bored].',
  '{A.S} never forgot [that day|that adventure].',
  '{A} told the story [many times|to everyone at school] after that.',
  '{B} wrote [a letter|a poem|a song] about it.',
  'Outside, it [began to rain|grew dark|was snowing].',
  '{A.S} [yawned|laughed] and [closed {A.his} eyes|turned over|pulled up the blanket].',
  '"[Sleep well|Good night|Sweet dreams]," said {A.own} {K}.',
  'It was [late|dark|past nine] when {A} went to bed.',
  'They met again the [very next|following] [day|week].',
  'Not every day is like that.',
  '{B} told the same story to {B.his} [mother|father|sister|brother].',
  '"[Good night|See you tomorrow], {B}," {A} [whispered|thought].',
  'Then the [moon|evening star] came up, and [everyone went to bed|it was time to sleep|all was well].',
  '"[What a day|That was fun|Tomorrow we will play again]!" [thought|said] {A}.',
  'And tomorrow [would be|was] another day.',
  '{B} went home [singing|whistling|in the dark|very tired].',
  '{A.S} [wrote it all down|drew a picture of it] before going to bed.',
  'It had been a [short|busy|strange|lovely] day.',
  '"Can we go again [tomorrow|next week|on Sunday]?" asked {A}.',
  'And if they have not stopped, they are still talking about it.',
  '{A} was asleep before anyone could [turn out the light|say good night|ask anything else].',
  'But that is another story.',
);
