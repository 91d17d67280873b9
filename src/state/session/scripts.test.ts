import '../../io/web/link-target.ts';
import { expect, it } from 'vitest';
import { type Begin, shownAfter } from '../../../test/session-script.ts';
import { watchRejections } from '../../../test/started-session.ts';
import { MAX_TOKENS } from '../document.ts';

watchRejections();

// Sessions are driven by scripts (lists of commands, whose grammar is in test/session-script.ts), and everything that the page
// shows after each command is compared with a snapshot in words/.

const FAR = 'https://far.example/wide';
const NEAR = 'http://192.168.0.1/wide';
const remote = (link: string, agreed: readonly string[] = []): Begin => ({ source: { kind: 'remote', link }, agreed });
const example = (id: string): string => `{"kind":"example","id":"${id}"}`;
const B = (repeat: number): string => `{"format":"macko","params":{"repeat":${repeat}}}`;

type Script = readonly [commands: readonly string[], begin?: Begin];

const SCRIPTS: Readonly<Record<string, readonly Script[]>> = {
  opening: [
    [[]],
    [['openExample "empty"', 'openExample "nan"', 'openExample "part"', 'openExample "nope"']],
    [['seek 5', 'openGenerated {"pattern":"wide","rows":8,"cols":8,"density":0.1,"seed":1}']],
    // A failure leaves everything unchanged.
    [['setWindow {"row":2,"col":2,"rows":4,"cols":4}', 'openFile "broken"', 'dismissError']],
    [[`restore {"source":${example('broken')},"window":null,"view":"learn"}`]],
    [
      [
        'openFile "wide"',
        'openExample "empty"',
        'restore {"source":{"kind":"file","name":"wide"}}',
        'restore {"source":{"kind":"file","name":"gone"}}',
      ],
    ],
    [[], { source: { kind: 'example', id: 'broken' } }],
    // Windows and steps of an address that fit, and those that do not.
    [[], { of: { window: { row: 6, col: 0, rows: 3, cols: 3 }, step: 2, frame: null } }],
    [[], { of: { window: null, step: 2, frame: null } }],
    [[], { of: { window: { row: 1, col: 1, rows: 3, cols: 3 }, step: 2, frame: null } }],
    [[], { of: { step: 9, frame: null } }],
    [['restore {"window":{"row":0,"col":6,"rows":3,"cols":3},"step":3,"frame":null}']],
    [['seek 8', 'restore {"step":9,"frame":null}']],
    [
      [
        'setFormat "csr"',
        'setWindow {"row":0,"col":0,"rows":2,"cols":2}',
        'restore {"format":"macko","window":{"row":0,"col":0,"rows":8,"cols":8},"step":3,"frame":null}',
        'restore {}',
      ],
    ],
    // A file with several matrices, and a file whose unpacked contents are too large.
    [['openFile "several"', 'openTensor "wide"', 'browseTensors', 'dismissChoice']],
    [
      [
        'openFile "several"',
        'openFile "wide"',
        'openFile "several"',
        'openFile "bomb"',
        'openFile "several"',
        'restore {}',
      ],
    ],
    [
      [
        'openFile "bomb"',
        'openOverLimit',
        'openOverLimit',
        'prune {"way":"magnitude","density":0.1}',
        'openFile "bomb"',
      ],
    ],
    [
      [
        'setWindow {"row":1,"col":1,"rows":4,"cols":4}',
        'prune {"way":"rows","density":0.5}',
        'prune {"way":"magnitude","density":0.25}',
        'prune null',
      ],
    ],
    [['openRemote "wide","hf_secret"']],
  ],
  choosing: [
    [
      [
        'setWindow {"row":0,"col":0,"rows":3,"cols":8}',
        'setParam "macko","repeat",2',
        'seek 4',
        'setFormat "csr"',
        'setFormat "coo"',
        'setParam "macko","repeat",4',
        'setParam "macko","x",4',
        'setWindow {"row":5,"col":0,"rows":4,"cols":4}',
      ],
    ],
    [['~setParam "macko","repeat",2', 'cancelEncoding', 'retryEncoding "macko"']],
    // B is encoded with its own parameters, and its encoding is dropped with it; another matrix is encoded in A and B.
    [
      [
        'setAgainst {"format":"csr","params":{}}',
        `setAgainst ${B(1)}`,
        `setAgainst ${B(3)}`,
        'openExample "wide"',
        'setAgainst null',
        'swap',
      ],
    ],
    [[`setAgainst ${B(3)}`, 'swap', 'setChoiceA {"format":"csr","params":{"repeat":2}}']],
    [
      [
        'setChoiceA {"format":"csr","params":{}}',
        `setAgainst ${B(1)}`,
        'setFormat "macko"',
        'setAgainst {"format":"csr","params":{"repeat":2}}',
        'setFormat "csr"',
      ],
    ],
    ...['setAgainst', 'setChoiceA'].map((set): Script => [
      [`${set} {"format":"own","params":{}}`, `${set} ${B(9)}`, `${set} {"format":"csr","params":{"gap":1}}`],
    ]),
    [[MAX_TOKENS, 0, MAX_TOKENS + 1, 1.5].map((tokens) => `setTokens ${tokens}`)],
    // Random weights are encoded in the requested format, and in no other.
    [
      [
        'restore {"source":{"kind":"model","model":"wide"},"window":null}',
        'retryEncoding "macko"',
        'setParam "macko","repeat",2',
        'restore {"source":{"kind":"model","model":"diagonal"},"window":null}',
      ],
    ],
  ],
  'asking for consent': [
    [['answerQuestion true'], remote(FAR)],
    [['answerQuestion false'], remote(FAR)],
    ...[FAR, 'https://far.example:8443/wide', 'http://far.example/wide', 'https://a.far.example/wide'].map(
      (link): Script => [[], remote(link, ['https://far.example'])],
    ),
    ...['org/wide', 'hf://org/name@main/wide', 'https://huggingface.co/org/wide'].map((link): Script => [
      [],
      remote(link),
    ]),
    // A private network needs consent regardless of earlier consent.
    [['answerQuestion true'], remote(NEAR, ['http://192.168.0.1'])],
    [[], remote('http://localhost:5000/wide')],
    [[`~restore {"source":{"kind":"remote","link":"${FAR}"}}`, 'answerQuestion false'], remote('org/wide')],
    [
      [
        `~restore {"source":{"kind":"pruned","base":{"kind":"remote","link":"${FAR}"},"pruning":{"way":"magnitude","density":0.5}}}`,
      ],
      remote('org/wide'),
    ],
    ...[FAR, NEAR].map((link): Script => [
      [`openRemote "${link}",null`, 'openExample "diagonal"', `restore {"source":{"kind":"remote","link":"${link}"}}`],
      remote('org/wide'),
    ]),
    [['openExample "wide"'], remote(FAR)],
    [['die', 'answerQuestion true'], remote(FAR)],
  ],
};

it.each(Object.entries(SCRIPTS))(
  'the texts after each command are those of the snapshot: %s',
  async (topic, scripts) => {
    const texts: string[] = [];
    for (const [commands, begin] of scripts) texts.push(await shownAfter(commands, begin));
    await expect(texts.join('\n')).toMatchFileSnapshot(`words/${topic.replaceAll(' ', '-')}.txt`);
  },
);
