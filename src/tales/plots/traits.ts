import { type Node, pick, say } from '../grammar/grammar.ts';
import { fact } from '../facts/steps.ts';
import { type World } from '../grammar/world.ts';

const isOlder = (world: World): boolean => (world.get<number>('age') ?? 0) > (world.get<number>('age2') ?? 0);

/** Two facts about the children that somebody may ask for much later. */
export const traits: readonly Node[] = pick(
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

/** A sentence about one of them, of which nothing follows. */
export const moreTraits: readonly Node[] = say(
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
