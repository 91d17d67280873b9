import { act, maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import type { World } from '../grammar/world.ts';
import { aboutThing, anotherAdult, type Episode, fact, forget, isOutdoors, set } from '../facts/steps.ts';
import { is, type Noun } from '../words/things.ts';

const sadness: readonly Node[] = say(
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

const joy: readonly Node[] = say(
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

const thanks: readonly Node[] = say(
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

const nounOf = (world: World, thing = world.get<string>('t')): Noun => world.get<Noun>(`${thing}.noun`) ?? 'ball';
const isOf = (world: World, kind: string): boolean => is(nounOf(world), kind);

// ---- a thing ends up where nobody can reach it

const happens: readonly Node[] = pick(
  [
    (world) => (isOf(world, 'w') ? 5 : 0),
    [
      ...set({ flies: true }),
      ...say(
        '[Suddenly|All at once|Then] [the wind|a gust of wind] [took|caught|lifted] {t.the} and [carried|blew] it {S.into}.',
        'The wind [grew strong|blew hard], and {t.the} flew {S.into}.',
        '{o.S} let go for a moment, and the wind blew {t.the} {S.into}.',
        'A gust of wind tore {t.the} away and blew it {S.into}.',
        '{o.S} held {t.the} up, and the wind carried it {S.into}.',
      ),
    ],
  ],
  [
    (world) => (nounOf(world) === 'ball' ? 5 : 0),
    [
      ...set({ flies: true }),
      ...say(
        '{o.S} kicked {t.the} too hard, and it flew {S.into}.',
        '{f.S} kicked {t.the} the wrong way, and it flew {S.into}.',
        '{t.The} bounced off a wall and flew {S.into}.',
        '{o.S} threw {t.the} too high, and it flew {S.into}.',
        '{t.The} bounced [once|twice|three times] and flew {S.into}.',
      ),
    ],
  ],
  [
    2,
    [
      ...set({ flies: undefined }),
      ...say(
        '{o.S} [tripped|slipped|stumbled] over a [stone|root|branch], and {t.the} fell {S.into}.',
        '{t.The} slipped out of {o.own} hands and [fell|slid] {S.into}.',
        '{o.S} looked away for a moment, and {t.the} slid {S.into}.',
        'Then {o} was careless, and {t.the} fell {S.into}.',
        '{o.S} was [laughing|running|dancing] so much that {t.the} fell {S.into}.',
        '{o.S} waved with {t.the}, let go of it, and it fell {S.into}.',
        'One wrong step, and {t.the} fell {S.into}.',
        '{o.S} [reached for a nut|tied a shoe|waved to somebody], and {t.the} fell {S.into}.',
        '{o.S} [sneezed|turned around too fast], and {t.the} fell {S.into}.',
        '{o.S} had put {t.the} down, but it slid {S.into}.',
        'Nobody knew how it happened, but {t.the} fell {S.into}.',
      ),
    ],
  ],
  [
    (world) => (isOf(world, 's') || isOf(world, 'w') ? 2 : 0),
    [
      ...set({ flies: true }),
      ...say(
        '[Suddenly|Just then|All at once], a [crow|magpie|seagull] [took|grabbed|snatched] {t.the} and dropped it {S.into}.',
        'A [cheeky|hungry|noisy] [crow|magpie|seagull] flew off with {t.the} and dropped it {S.into}.',
        'A [crow|magpie|seagull] liked {t.the}, took it, and dropped it {S.into}.',
      ),
    ],
  ],
  [
    (world) => (isOf(world, 'l') || isOf(world, 'b') ? 0 : 1),
    [
      ...set({ flies: undefined }),
      ...say(
        'A [playful|big|young] dog [grabbed|snatched] {t.the}, ran in a circle, and dropped it {S.into}.',
        '[Suddenly|Just then], a [goat|puppy] ran off with {t.the} and dropped it {S.into}.',
      ),
    ],
  ],
  [
    (world) => (isOf(world, 'l') ? 0 : 2),
    [
      ...set({ flies: undefined }),
      ...say(
        '{f.S} only wanted to [look at|hold|try] {t.the}, but it slipped out of {f.his} hands and fell {S.into}.',
        '"May I hold your {t.one}?" asked {f}. But {f.he} dropped it, and it fell {S.into}.',
        '{f.S} bumped into {o}, and {t.the} fell {S.into}.',
        '{f.S} [clapped|jumped|shouted], {o} jumped, and {t.the} fell {S.into}.',
        '{o.S} threw {t.the} to {f}, who missed it, and it fell {S.into}.',
        '{f.S} took {t.the} and swung it around, but it slipped and fell {S.into}.',
      ),
      ...set({ blame: true }),
    ],
  ],
);

const rescue: readonly Node[] = [
  ...pick(
    [
      4,
      [
        ...say(
          '"[Do not worry|Wait here|I have an idea|I know what to do|Do not be sad]," said {f}, and [fetched|found|came back with] {T.a}.',
          '{f.S} [ran off|looked around] and [came back with|found] {T.a}.',
          '"I know what we need," said {f}, and went to get {T.a}.',
          '{f.S} thought for a moment and then fetched {T.a}.',
          '{f.S} [snapped {f.his} fingers|had an idea] and [fetched|found] {T.a}.',
          'Without a word, {f} went away and returned with {T.a}.',
          'What they needed was {T.a}, and {f} soon had one.',
          '"Leave it to me," said {f}, and got {T.a}.',
          '"Give me two minutes," said {f}, and came back with {T.a}.',
          '{f.S} remembered where there was {T.a}, and ran to get it.',
          '{f.S} borrowed {T.a} from somebody.',
          '"We only need {T.a}," said {f}, and went to look for it.',
        ),
        ...act((world) => world.set('w', world.get('f'))),
      ],
    ],
    [
      5,
      [
        ...say(
          '{f.S} ran to get {H}.',
          'Together, they asked {H} for help.',
          'Luckily, {H} was just passing by.',
          '"Let us ask {H}," said {f}.',
          '{H.S} stopped and asked what was wrong.',
          '"What is the matter?" asked {H}.',
          'They saw {H} and waved.',
          '{o.S} thought of {H}, who lived nearby.',
          '{H.S} had [heard|seen] them and came to help.',
          'Just then, {H} [came by|looked over].',
          'They told {H} what had happened.',
          'They called for help, and {H} came.',
          '{f.S} knew that {H} would help.',
        ),
        ...say(
          '{H.S} [hurried off|went away] and came back with {T.a}.',
          '"Will {T.a} help?" asked {H}. "Yes!" <cries> {f}.',
          '"You may [use|borrow] {T.a}," said {H}.',
          '"You need {T.a}," said {H}.',
          '"Wait," said {H}, and brought {T.a}.',
          '{H.S} had {T.a} at home and went to get it.',
          '"How about {T.a}?" asked {H}.',
          '"Somewhere I have {T.a}," said {H}, and found it.',
          '{H.S} lent them {T.a}.',
          '"I always have {T.a} with me," said {H}.',
          '{H.S} looked at it, nodded, and fetched {T.a}.',
          '"Try it with {T.a}," said {H}.',
          '"For that you want {T.a}," said {H}.',
        ),
        ...pick([2, set({ w: 'H' })], [3, act((world) => world.set('w', world.get('f')))]),
      ],
    ],
    [
      3,
      [
        ...say(
          'First, {f} tried it with [a branch|an old shoe|a belt|bare hands|a shovel], but it [did not work|was no use].',
          '{f.S} tried it with [a branch|an old shoe|a belt|bare hands|a shovel], but that [did not work|was no use].',
          'They [threw stones at it|shouted for help|tried a belt|tried a branch], but that was no use.',
        ),
        ...say(
          'Then {f.he} [fetched|found|got] {T.a}.',
          'In the end, {f} got {T.a}.',
          '"What about {T.a}?" asked {o}.',
          '"Perhaps we can do it with {T.a}," said {f}.',
          'But then {f} had a better idea and fetched {T.a}.',
        ),
        ...act((world) => world.set('w', world.get('f'))),
      ],
    ],
  ),
  ...say(
    '{w.S} took {T.the} and [carefully|slowly|quickly|] {out}.',
    'With {T.the}, {w.s} [carefully|slowly|quickly|easily] {out}.',
    'It was not easy, but with {T.the} {w.s} {out}.',
    '[After three tries|After a while|At last], {w.s} {out} with {T.the}.',
    '{w.S} reached for it with {T.the} and {out}.',
    '{w.S} was clever with {T.the} and {out}.',
    '{w.S} was patient with {T.the} and {out}.',
    'With {T.the} in both hands, {w.s} {out}.',
    'Thanks to {T.the}, {w.s} {out}.',
    '{w.S} had done it before: with {T.the}, {w.he} {out}.',
    '{w.S} needed {T.the} and some luck, but {out}.',
    'At the [second|third|fourth] try with {T.the}, {w.s} {out}.',
  ),
];

const mishap: Episode = {
  name: 'mishap',
  weight: 5,
  length: 3,
  suits: isOutdoors,
  steps: [
    ...forget('S', 'T', 'flies', 'blame', 'wept'),
    ...anotherAdult,
    ...aboutThing(),
    ...happens,
    ...maybe(1 / 3, set({ wept: true }), sadness),
    ...say(
      '{o.S} [tried to reach it|tried to get it back|stretched out an arm], but {why}.',
      '{o.S} could not reach it, because {why}.',
      '"I cannot reach it!" cried {o}, for {why}.',
      '{o.S} wanted to get it back, but {why}.',
      '{o.S} [sighed|called out]. There was no way to get it, for {why}.',
      'It was lost, it seemed, because {why}.',
      '{o.S} did not dare to try, because {why}.',
      'They looked at it, but {why}.',
      'Nobody could reach it, because {why}.',
      '{f.S} tried to reach it too, but {why}.',
      '{o.S} thought that it was gone for good, because {why}.',
      'They both tried to reach it, but {why}.',
      '"Can you reach it?" asked {o}. But {f} could not, because {why}.',
    ),
    ...when((world) => !world.has('wept'), maybe(0.4, sadness)),
    ...maybe(
      0.2,
      when(
        (world) => world.get('blame') === true,
        say('{f.S} [blushed|was sorry|felt terrible|did not dare to look up].', 'It was all {f.own} fault.'),
        say(
          '{f.S} [put an arm around|tried to comfort] {o}.',
          'It had all happened so fast.',
          '{f.S} [patted {o.own} back|took {o.own} hand].',
        ),
      ),
    ),
    ...rescue,
    ...maybe(
      0.5,
      say(
        '{t.The} was [a bit dirty|dusty|a little scratched|rather cold], but {o} did not mind.',
        '{t.The} was [as good as new|safe again|in one piece].',
        '"Here [is your {t.my}|you are]," said {w}.',
        '"Be more careful with it," said {w}.',
        '{t.The} looked none the worse for it.',
        '{w.S} wiped {t.the} [clean|dry] and gave it back.',
        'There was not a scratch on {t.the}.',
        '"It likes to travel," said {w}.',
        '{o.S} looked {t.the} over and nodded.',
        '"Catch!" <cries> {w}.',
        '{w.S} handed {t.the} back with a [smile|bow|wink].',
        '"Hold it tight next time," said {w}.',
      ),
    ),
    ...pick([3, thanks], [3, joy], [1, []]),
    ...fact('mishap.*', 'Where did {o.your} {t.one} end up', '{S.In}', 'place'),
    ...fact('rescue.*', 'Who got {o.your} {t.one} back', '{w.Who} did', 'name'),
    ...fact('tool.*', 'What did you need to get {o.your} {t.one} back', '{T.A}', 'tool'),
  ],
};

// ---- a thing breaks and is mended

const mend: Episode = {
  name: 'mend',
  weight: 3,
  length: 2,
  suits: (world) =>
    is(nounOf(world, 'X'), 'b') ||
    is(nounOf(world, 'X'), 'p') ||
    (world.has('Y.noun') && (is(nounOf(world, 'Y'), 'b') || is(nounOf(world, 'Y'), 'p'))),
  steps: [
    ...forget('piece', 'glue'),
    ...anotherAdult,
    ...aboutThing((world, thing) => is(nounOf(world, thing), 'b') || is(nounOf(world, thing), 'p')),
    ...say(
      '{o.S} dropped {t.the}, and {piece} broke off.',
      '{f.S} bumped into {o}, and {t.the} fell down. {piece.Cap} broke off.',
      'Then {t.the} fell on the ground, and {piece} came off.',
      '{o.S} pulled too hard, and {t.the} broke. {piece.Cap} came off.',
      '{o.S} bumped {t.the} against a wall, and {piece} broke off.',
      'There was a crack, and {piece} came off {t.the}.',
      'Somebody stepped on {t.the}, and {piece} broke off.',
      '{o.S} wanted to show {t.the} to {f}, but let it fall. {piece.Cap} broke off.',
      '{o.S} sat down on {t.the} by mistake, and {piece} broke off.',
      'A gust of wind knocked {t.the} over, and {piece} broke off.',
      '{t.The} slipped out of {o.own} hands, and {piece} broke off.',
    ),
    ...pick(
      [2, sadness],
      [1, say('"It is broken!" [cried|said] {o}.', 'They looked at it in silence.', '"Can we mend it?" asked {f}.')],
    ),
    ...say(
      '{f.S} said that {H} could mend anything, so they went there.',
      'They took it to {H}.',
      'They thought of {H} and took it there.',
      '{o.S} showed it to {H}.',
      '"I can mend that," said {H}, who had heard the noise.',
      '"Who can mend it?" asked {f}. "{H.Cap}," <replies> {o}.',
      '"Give it to me," said {H}, who had seen everything.',
      '"{H.Cap} can help," said {f}.',
      'They ran to {H} with it.',
      'Luckily, {H} knew a lot about such things.',
      '"Let me see," said {H}, who was just coming by.',
    ),
    ...say(
      '{H.S} mended it with {glue}.',
      'With {glue}, {H} soon had it mended.',
      '{H.S} [looked at it|nodded|smiled] and mended it with {glue}.',
      '{H.S} knew a way to mend it with {glue}.',
      '{H.S} took some time and {glue}, and then it was mended.',
      '{glue.Cap} was all that {H} needed.',
      'It took {H} [an hour|ten minutes|all morning], but with {glue} it held again.',
      '"I only need {glue}," said {H}, and soon it was mended.',
      '{H.S} put it together again with {glue}.',
      '{H.S} scratched {H.his} head, took {glue}, and mended it.',
      '"Hold it still," said {H}, and mended it with {glue}.',
    ),
    ...maybe(
      0.6,
      say(
        '"It is [stronger than before|as good as new]," said {H}.',
        'You could hardly see where it had been broken.',
        '{o.S} [thanked {H}|felt it all over|was amazed].',
        '"Do not touch it for an hour," said {H}.',
        'It looked almost better than before.',
        '{o.S} held it very carefully after that.',
        '{o.S} [wanted to pay|offered to pay], but {H} shook {H.his} head.',
      ),
    ),
    ...fact('mend.*', 'Who mended {o.your} {t.one}', '{H.Cap} did', 'name'),
    ...fact('glue.*', 'How was {o.your} {t.one} mended', 'With {glue}', 'tool'),
    ...fact('broke.*', 'What came off {o.your} {t.one}', '{piece.Cap}', 'thing'),
  ],
};

export const TROUBLES: readonly Episode[] = [mishap, mend];
