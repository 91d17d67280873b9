import { type Node, say } from '../grammar/grammar.ts';

export const sadness: readonly Node[] = say(
  '{o.S} was [very|so|] <sad>.',
  '{o.S} [began|started] to cry.',
  '{o.S} [sat down|stood still] and did not know what to do.',
  'A tear ran down {o.own} [cheek|face].',
  '"Oh no!" [cried|said] {o}. "My {t.my}!"',
  '{o.S} felt like crying.',
  '{o.S} was close to tears.',
  '{o.S} bit {o.his} lip.',
  '{o.S} stamped {o.his} foot.',
  '{o.S} covered {o.his} face with both hands.',
  '{o.S} turned [pale|red].',
  '{o.S} [stared|sighed|gulped|groaned].',
  'That was a [shock|sad moment|bad surprise] for {o}.',
  '{o.S} [swallowed hard|shook {o.his} head|wiped {o.his} eyes].',
  '"What shall I do now?" [asked|sobbed] {o}.',
);

export const joy: readonly Node[] = say(
  '{o.S} was [very|so|] <glad>.',
  '{o.S} [jumped for joy|smiled from ear to ear|laughed out loud|clapped {o.his} hands].',
  '{o.S} gave {f} a [big|long|warm] hug.',
  '{o.S} could not stop smiling.',
  '{o.S} danced around in a circle.',
  '{o.S} threw {o.his} arms around {f}.',
  '{o.S} held {t.the} tightly.',
  '{o.S} sang all the way home.',
  '{o.S} took a deep breath and laughed.',
  '{o.S} [whistled a tune|spun around|could have kissed everybody].',
  '{o.S} did not let {t.the} out of {o.his} hands after that.',
  'How <glad> {o} was!',
  'Now everybody was <glad> again.',
);

export const thanks: readonly Node[] = say(
  '"Thank you so much!" <cries> {o}.',
  '"I will never forget this," said {o}.',
  '"I do not know what to say," said {o}.',
  '"What would I do without you?" asked {o}.',
  '"Now I owe you an ice cream," said {o}.',
  '{o.S} promised {w.o} [a cake|a drawing|a song|a big favor].',
  '"I knew you could do it!" <cries> {o}.',
  '"That was very kind of you," said {o}.',
  '{o.S} bowed to {w.o}.',
  '{o.S} thanked {w.o} [again and again|with all {o.his} heart|many times].',
  '"You are [the best|very kind|wonderful]!" [said|cried] {o}.',
  '"How can I thank you?" asked {o}. "[Just smile|It was nothing|You would do the same for me]," <replies> {w}.',
);
