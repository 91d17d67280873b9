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
        '{A.S} was {age} years old, and {B} was {age2}.',
        '{A.S} was {age}, and {B} was {age2}.',
        '{A.S} had just turned {age}, and {B} was {age2}.',
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
        '{A.S} liked {food} best, and {B} liked {food2}.',
        '{A.S} loved {food}, and {B} loved {food2}.',
        '{A.S} could eat {food} all day, but {B} liked {food2} better.',
        '{A.S} never shared {A.his} {food}, and {B} never shared {B.his} {food2}.',
      ),
      ...fact('likes', 'What does {B} like to eat', '{food2.Cap}', 'thing'),
      ...fact('likes2', 'Who likes {food2}', '{B} does', 'name'),
    ],
  ],
  [
    2,
    [
      ...say(
        '{A.S} had a {pet} called {petName}.',
        '{A.own} {pet} was called {petName}.',
        '{A.S} had a {pet} at home, and its name was {petName}.',
        '{A.S} had to be back in time to feed {A.his} {pet}, {petName}.',
      ),
      ...fact('pet', 'Have you fed the {pet}', 'Yes, {petName} is not hungry any more', 'name'),
    ],
  ],
  [
    2,
    [
      ...say(
        '{B.S} lived in {collar.a} house, and {A} lived in {collar2.a} one.',
        '{A.S} had {collar2} shoes, and {B} had {collar} ones.',
        '{B.S} was wearing {collar} socks, and {A.own} were {collar2}.',
        '{A.S} had {collar2.a} bicycle, and {B} had {collar.a} one.',
      ),
    ],
  ],
);
