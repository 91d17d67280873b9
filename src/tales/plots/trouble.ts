import { act, maybe, type Node, pick, say, when } from '../grammar/grammar.ts';
import { type World } from '../grammar/world.ts';
import { aboutThing, anotherAdult, type Episode, fact, forget, isOutdoors, set } from '../facts/steps.ts';
import { is, type Noun } from '../words/things.ts';

const nounOf = (world: World, thing = world.get<string>('t')): Noun => world.get<Noun>(`${thing}.noun`) ?? 'ball';
const isOf = (world: World, kind: string): boolean => is(nounOf(world), kind);

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
  'Now everybody was <glad> again.',
);

const thanks: readonly Node[] = say(
  '"Thank you so much!" <cries> {o}.',
  '"I will never forget this," said {o}.',
  '"I do not know what to say," said {o}.',
  '"What would I do without you?" asked {o}.',
  '"Now I owe you an ice cream," said {o}.',
  '{o.S} thanked {w.o} [again and again|with all {o.his} heart|many times].',
  '"You are [the best|very kind|wonderful]!" [said|cried] {o}.',
  '"How can I thank you?" asked {o}. "[Just smile|It was nothing|You would do the same for me]," <replies> {w}.',
);

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
        ),
        ...say(
          'Then {f.he} [fetched|found|got] {T.a}.',
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
    'At the [second|third|fourth] try with {T.the}, {w.s} {out}.',
  ),
];

const mishap: Episode = {
  name: 'mishap',
  weight: 5,
  length: 3,
  suits: isOutdoors,
  steps: [
    ...forget('S', 'T', 'flies', 'blame'),
    ...anotherAdult,
    ...aboutThing(),
    ...happens,
    ...pick([2, []], [1, sadness]),
    ...say(
      '{o.S} [tried to reach it|tried to get it back|stretched out an arm], but {why}.',
      '{o.S} could not reach it, because {why}.',
      '"I cannot reach it!" cried {o}, for {why}.',
      '{o.S} wanted to get it back, but {why}.',
      'Nobody could reach it, because {why}.',
      '{f.S} tried to reach it too, but {why}.',
      '"We will never get it back," said {o}, because {why}.',
      'They both tried to reach it, but {why}.',
      '"Can you reach it?" asked {o}. But {f} could not, because {why}.',
    ),
    ...maybe(0.4, sadness),
    ...maybe(
      0.2,
      when(
        (world) => world.get('blame') === true,
        say('"I am sorry," said {f}. "[I did not mean to|It was my fault]."', '"It was my fault," said {f}.'),
        say('"That can happen to anyone," said {f}.', '"Do not cry," said {f}.'),
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
      '"Give it to me," said {H}, who had seen everything.',
      '"{H.Cap} can help," said {f}.',
      'They ran to {H} with it.',
      'Luckily, {H} knew a lot about such things.',
      '"Let me see," said {H}, who was just coming by.',
    ),
    ...say(
      '{H.S} mended it with {glue}.',
      'With {glue}, {H} soon had it mended.',
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
        '{o.S} held it very carefully after that.',
        '{o.S} [wanted to pay|offered to pay], but {H} shook {H.his} head.',
      ),
    ),
    ...fact('mend.*', 'Who mended {o.your} {t.one}', '{H.Cap} did', 'name'),
    ...fact('glue.*', 'How was {o.your} {t.one} mended', 'With {glue}', 'tool'),
    ...fact('broke.*', 'What came off {o.your} {t.one}', '{piece.Cap}', 'thing'),
  ],
};

// ---- a thing is hidden, and moved while its owner is away

const leaves: readonly Node[] = say(
  '[Then|After that], {o} went [off|away] to [get some water|wash {o.his} hands|look for a friend|buy some bread|say hello to somebody].',
  '{o.S} had to [help somebody|go away] for a [moment|while].',
  'Then somebody called {o}, and {o.he} went away for a while.',
  'Then {o} went to [feed the birds|find something to drink|post a letter|see who was coming|fetch a jacket].',
  '{o.S} went away to [buy a stamp|tie {o.his} shoes|ask what time it was].',
);

const hide: Episode = {
  name: 'hide',
  weight: 5,
  length: 4,
  suits: () => true,
  steps: [
    ...forget('U', 'V', 'W', 'twice'),
    ...anotherAdult,
    ...aboutThing(),
    ...say(
      '{o.S} put {t.the} {U} to keep it safe.',
      '{o.S} [laid|left|put] {t.the} {U}.',
      '"I will put my {t.my} {U}," said {o}.',
      '{o.S} hid {t.the} {U}, so that nobody would take it.',
      '{o.S} thought that {t.the} would be safe {U}, and put it there.',
      '"My {t.my} will be safe {U}," said {o}, and put it there.',
      '{t.The} was in the way, so {o} put it {U}.',
    ),
    ...leaves,
    ...pick(
      [
        3,
        [
          ...say(
            'While {o.he} was [away|gone], {f} took {t.the} and put it {V}.',
            '{f.S} [needed the room|wanted to tidy up|wanted to play a trick|was afraid it would get lost], so {f.he} put {t.the} {V}.',
            'As soon as {o} was gone, {f} hid {t.the} {V}[ for fun| as a joke|].',
            '{f.S} [borrowed|looked at] {t.the} for a moment and then put it {V}.',
            'Meanwhile, {f} took {t.the} and carried it away. Now it was {V}.',
            '{f.S} thought of a better place and put {t.the} {V}.',
          ),
          ...act((world) => world.set('w', world.get('f'))),
        ],
      ],
      [
        2,
        [
          ...say(
            '{H.S} came by to tidy up and put {t.the} {V}.',
            'Meanwhile, {H} found {t.the} in the way and put it {V}.',
            '{H.S} saw {t.the}, thought that somebody had lost it, and put it {V}.',
          ),
          ...set({ w: 'H' }),
        ],
      ],
    ),
    ...maybe(
      0.35,
      pick(
        [1, say('{o.S} knew nothing of this.', '{o.S} did not see it.')],
        [
          1,
          when(
            (world) => world.get('w') === 'H',
            say('{f.S} saw it and said nothing.', 'Only {f} had seen it.'),
            say('{f.S} [said nothing|had to giggle|sat down and waited].'),
          ),
        ],
      ),
    ),
    ...say(
      '<soon>, {o} came back and looked {U}.',
      'When {o} came back, {o.he} [looked|searched] {U}.',
      '{o.S} came back and wanted {o.his} {t.my}. {o.He} looked {U}.',
      'Later, {o} came back and went to look {U}.',
      '{o} came back [with wet hands|out of breath|whistling] and looked {U}.',
      '<soon>, {o} was back and looked for {o.his} {t.my} {U}.',
    ),
    ...say(
      '{t.The} was not there!',
      'But there was no {t} there.',
      'But it was [gone|no longer there].',
      '"Where is my {t.my}?" [asked|cried] {o}.',
      'There was only [dust|a spider|an old newspaper|a dead fly|a bit of string] there.',
      '{o.S} found nothing at all.',
    ),
    ...maybe(
      0.5,
      say(
        '{o.S} [looked|searched] [everywhere|high and low], but {o.he} could not find it.',
        '{o.S} was [very|so|] <sad>.',
        '"I put it {U}," said {o}. "I know I did!"',
        '"Somebody has taken it!" cried {o}.',
      ),
    ),
    ...pick(
      [
        3,
        [
          ...say(
            '{f.S} [pointed|laughed]. "Look {V}!"',
            '"Try {V}," said {f}[ with a grin|].',
            '"It is {V}," said {f}.',
            '"Perhaps it is {V}," said {f}.',
            '"Have you looked {V}?" asked {f}.',
            '{f.S} whispered into {o.own} ear: "Look {V}."',
          ),
          ...say('And there it was.', '{o.S} looked {V}, and there it was.', 'There was {t.the}, safe and sound.'),
        ],
      ],
      [
        2,
        say(
          '[At last|After a long search], {o.s} found it {V}.',
          'Then {o.s} looked {V} and saw something {t.c}. It was {t.the}.',
        ),
      ],
      [
        2,
        [
          ...say(
            '"Is it {W}?" asked {o}. "No, it is {V}," <replies> {f}.',
            '"I looked {W} as well," said {o}. "Then try {V}," said {f}.',
          ),
          ...say('{o.S} [ran|went] to see. There it was.', '{o.S} found it {V}.', 'And that was right.'),
        ],
      ],
    ),
    ...maybe(
      0.6,
      when(
        (world) => world.get('w') === 'H',
        say(
          '"Who put it {V}?" asked {o}. "{H.Cap} did," <replies> {f}.',
          '"Did you put it {V}?" asked {o}. "No, {H} did," <replies> {f}.',
        ),
        say(
          '"Who put it {V}?" asked {o}. "I did," <replies> {f}.',
          '"I am sorry," said {f}. "I only wanted to [help|play|make you laugh]."',
          '"Did you put it {V}?" asked {o}. "Yes, I did," <replies> {f}.',
        ),
      ),
    ),
    ...maybe(
      0.35,
      say(
        '{o.S} [laughed|had to laugh|smiled], and [soon|then] they [were playing again|both laughed].',
        '"Next time, ask me first," said {o}.',
        '{o.S} was [too glad to be angry|not angry at all].',
      ),
    ),
    ...fact('looked.*', 'Where did {o.you} look first for the {t.one}', '{U.Cap}', 'place'),
    ...fact('moved.*', 'Who had moved {o.your} {t.one}', '{w.Who} had', 'name'),
    ...fact('was.*', 'Where was {o.your} {t.one} in the end', '{V.Cap}', 'place'),
  ],
};

// ---- the same thing in two colors is mixed up

const mixUp: Episode = {
  name: 'mix-up',
  weight: 14,
  length: 3,
  suits: (world) => world.has('twins'),
  steps: [
    ...anotherAdult,
    ...aboutThing(),
    ...act((world) => world.set('u', world.get('t') === 'X' ? 'Y' : 'X')),
    ...say(
      'They [left|put] their things [side by side|in a corner|next to each other|on the ground] and went to [eat lunch|have a race|play tag|look at something else].',
      'They [left|put] their things [side by side|in a corner|next to each other|on the ground] and [told each other stories|ate some bread|rested for a while].',
    ),
    ...pick(
      [
        3,
        [
          ...say(
            'When they came back, {f} [picked up|took] {t.the} [by mistake|without looking].',
            'Later, {f} was in a hurry and [picked up|took] {t.the}.',
            'When it was time to go, {f} reached for {t.the}.',
            'It had grown a little dark, and {f} took {t.the}.',
            '{f.S} came back first and took {t.the} without thinking.',
          ),
          ...say(
            '"[Wait|Stop|Hey]!" [called|said] {o}. "That is [mine|not yours]."',
            '"That is my {t.c} {t}," said {o}. "Yours is {u.c}."',
            '{o.S} [looked around|frowned]. "Where is my {t.c} {t}?"',
          ),
          ...maybe(
            0.5,
            say(
              '"Oh, I am sorry," said {f}. "[Mine|My {t}] is {u.c}."',
              '"You are right," said {f}. "Mine is {u.c}."',
              '{f.S} [blushed|laughed]. "I did not look."',
            ),
          ),
          ...say(
            '{f.S} gave {t.the} [back to|to] {o} and took {u.the}.',
            'So {o} took {t.the}, and {f} took {u.the}.',
            '{f.S} put {t.the} down and picked up {u.the}.',
            'They changed back, and each had the right {t}.',
            'So {f} went back and got {u.the} instead.',
          ),
          ...fact('mixed', 'Who took the wrong {t}', '{f.Who} did', 'name'),
        ],
      ],
      [
        2,
        [
          ...say(
            '<soon>, {H} found {t.the}.',
            '{H.S} [came by|walked past] and picked up {t.the}.',
            'When they came back, {H} was holding {t.the}.',
          ),
          ...say(
            '"Whose {t} is {t.c}?" asked {H}. "{o.own}," <replies> {f}.',
            '"Whose {t} is this?" asked {H}. "[Mine|It is mine]," <replies> {o}.',
            '"Is this your {t}, {f}?" asked {H}. "No, mine is {u.c}," <replies> {f}.',
            '"Who has {t.ac} {t}?" asked {H}. "I do," <replies> {o}.',
          ),
          ...say(
            '{H.S} gave it to {o}.',
            'So {o} got {t.the} [back|].',
            '{H.S} [smiled|nodded] and [gave|handed] {t.the} to {o}.',
          ),
          ...fact('mixed', 'Who picked up {o.your} {t.c} {t}', '{H.Cap} did', 'name'),
        ],
      ],
    ),
    ...maybe(
      0.5,
      say(
        '"Shall we swap?" asked {f}. "No, I like mine," <replies> {o}.',
        'They wrote their names on them[, just to be sure|].',
        'They [both laughed|shook hands].',
        '"[We should be more careful|They look so alike|That was close]," said {o}.',
      ),
    ),
  ],
};

export const TROUBLES: readonly Episode[] = [mishap, mend, hide, mixUp];
