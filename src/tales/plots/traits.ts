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
        '{A} could eat {food} all day, but {B} liked {food2} better.',
        '{A} never shared {A.his} {food}, and {B} never shared {B.his} {food2}.',
      ),
      ...fact('likes', 'What does {B} like to eat', '{food2.Cap}', 'thing'),
      ...fact('likes2', 'Who likes {food2}', '{B} does', 'name'),
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
        '{B} lived in {collar.a} house, and {A} lived in {collar2.a} one.',
        '{A} had {collar2} shoes, and {B} had {collar} ones.',
        '{B} was wearing {collar} socks, and {A.own} were {collar2}.',
        '{A} had {collar2.a} bicycle, and {B} had {collar.a} one.',
      ),
    ],
  ],
);

/** A sentence about one of them, of which nothing follows. */
export const moreTraits: readonly Node[] = say(
  '{A} had been up since [five|six|seven], and {B} had only just woken up.',
  '{B} was [afraid of|very fond of] [spiders|thunder|geese|the dark|bees|cats|ghosts].',
  '{A} wanted to be [a pilot|a cook|a sailor|a teacher|an inventor|a painter|a detective|a singer] one day.',
  '{B} was [the fastest runner|the best swimmer|the loudest singer|the tallest child] in the [school|street|village|town].',
  '{A} and {B} had known each other for [one year|two years|three years|a long time].',
  '{A} had a [plaster on one knee|loose tooth|new haircut|bump on the head|hole in one sock].',
  '{B} could [whistle through two fingers|walk on both hands|say the alphabet backwards|wiggle both ears|sing very high].',
);
