// The parts of a grammar of tales: texts, slots, and choices with weights.

import { type World } from './world.ts';

/** How likely an option is, relative to the others. */
export type Weight = number | ((world: World) => number);

/** A node of a grammar, a tree by which short stories (tales) are drawn and parsed (draw-text.ts, parse.ts). */
export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'slot'; readonly name: string; readonly attribute: string }
  | { readonly type: 'choice'; readonly options: readonly Option[] }
  | { readonly type: 'act'; readonly run: (world: World) => void; readonly forms: readonly Form[] }
  | {
      readonly type: 'when';
      readonly test: (world: World) => boolean;
      readonly yes: readonly Node[];
      readonly no: readonly Node[];
    }
  /** a sentence begins: a space before it, unless it is the first */
  | { readonly type: 'begin' };

/** One of the alternatives of a choice. */
export interface Option {
  readonly weight: Weight;
  readonly nodes: readonly Node[];
  /** The fixed beginning of the option, if there is one: a parser drops the option at once if the text differs. */
  readonly lead: string;
}

/** One or two sentences with slots (gaps): as text, and parsed into nodes. */
export interface Form {
  readonly source: string;
  readonly nodes: readonly Node[];
}

function option(weight: Weight, nodes: readonly Node[]): Option {
  return { weight, nodes, lead: nodes[0]?.type === 'text' ? nodes[0].text : '' };
}

/** Words that many forms share: `<soon>` in a form. */
const SHARED: Readonly<Record<string, string>> = {
  time: '[One [cold|warm|rainy|windy|sunny|foggy|frosty|bright] [Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday]|One [cold|warm|rainy|windy|sunny|foggy|frosty|bright] [morning|afternoon|day in May|day in March|day in autumn]|Early one [Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday] morning|Late one [spring|summer|autumn|winter] afternoon|On the [first|second|third|last] day of [spring|summer|autumn|winter|the holidays|the week]|A [week|month|year] ago|[Two|Three|Four|Five] [days|weeks|months] ago|Last [Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|week|spring|winter]|On a [quiet|gray|golden|stormy|sleepy|snowy|merry] [morning|afternoon|evening|Saturday|Sunday]|Just [before|after] [breakfast|lunch|noon|sunrise|school]]',
  replies: '[said|answered|replied]',
  cries: '[said|cried|shouted|called|exclaimed]',
  soon: '[Soon|After a while|A little later|Before long|Some time later|Not much later|Five minutes later|An hour later|Shortly after|By and by|Half an hour later]',
  suddenly: '[Suddenly|All at once|Just then|A moment later]',
  sad: '[sad|upset|unhappy|worried|disappointed]',
  glad: '[happy|glad|pleased]',
  surely: '[Of course|Gladly|Yes, of course|With pleasure|Certainly|Why not|Sure|If you like]',
};

/** A form with `<name>` replaced by shared words, which may contain other shared words. */
function withSharedWords(written: string): string {
  let source = written;
  for (;;) {
    const expanded = source.replace(/<(\w+)>/g, (whole, name: string) => SHARED[name] ?? whole);
    if (expanded === source) return source;
    source = expanded;
  }
}

/**
 * A form in which the space next to a choice with an empty last alternative is a part of its other alternatives:
 * '[big|] dog' becomes '[big |]dog', and 'ran [home|].' becomes 'ran[ home|].'.
 */
function withOptionalSpaces(source: string): string {
  const addSpaces = (choice: string, add: (alternative: string) => string): string =>
    `[${choice
      .split('|')
      .map((alternative) => (alternative ? add(alternative) : ''))
      .join('|')}]`;
  return source
    .replace(/\[([^[\]]*\|)\] /g, (_, choice: string) => addSpaces(choice, (alternative) => `${alternative} `))
    .replace(/ \[([^[\] ][^[\]]*\|)\](?=[.,!?])/g, (_, choice: string) =>
      addSpaces(choice, (alternative) => ` ${alternative}`),
    );
}

/**
 * Parses `{o.S} [ran|walked] to {P.the}.`: slots in braces, equally likely alternatives in brackets (possibly nested;
 * an empty alternative removes its space), shared words in angle brackets.
 */
export function form(written: string): Form {
  const source = withOptionalSpaces(withSharedWords(written));
  let position = 0;
  /** the nodes from `position` on, up to a character of `stop` or the end */
  const sequence = (stop: string): Node[] => {
    const nodes: Node[] = [];
    let text = '';
    const flush = (): void => {
      if (text) nodes.push({ type: 'text', text });
      text = '';
    };
    while (position < source.length && !stop.includes(source[position])) {
      const character = source[position];
      if (character === '{') {
        flush();
        const end = source.indexOf('}', position);
        const [name, attribute = ''] = source.slice(position + 1, end).split('.');
        nodes.push({ type: 'slot', name, attribute });
        position = end + 1;
      } else if (character === '[') {
        flush();
        const options: Option[] = [];
        do {
          position++;
          options.push(option(1, sequence('|]')));
        } while (source[position] === '|');
        position++;
        nodes.push({ type: 'choice', options });
      } else {
        text += character;
        position++;
      }
    }
    flush();
    return nodes;
  };
  const nodes = sequence('');
  if (position !== source.length)
    throw new Error(`form: found '${source[position]}' at ${position} of '${written}', expected brackets in pairs`);
  return { source, nodes };
}

/** A sentence: one of the forms, equally likely, or with a weight before the form: `[3, 'form']`. */
export function say(...forms: readonly (string | readonly [Weight, string])[]): Node[] {
  return [
    { type: 'begin' },
    {
      type: 'choice',
      options: forms.map((sentence) =>
        typeof sentence === 'string' ? option(1, form(sentence).nodes) : option(sentence[0], form(sentence[1]).nodes),
      ),
    },
  ];
}

/** One of several continuations, by weights, which may depend on the facts of the tale (`World`). */
export function pick(...options: readonly (readonly [Weight, readonly Node[]])[]): Node[] {
  return [{ type: 'choice', options: options.map(([weight, nodes]) => option(weight, nodes)) }];
}

/** Continues with these nodes with this probability. */
export function maybe(probability: number, ...steps: readonly (readonly Node[])[]): Node[] {
  return pick([probability, steps.flat()], [1 - probability, []]);
}

/** Continues with `yes` if the facts pass the test, otherwise with `no`. */
export function when(test: (world: World) => boolean, yes: readonly Node[], no: readonly Node[] = []): Node[] {
  return [{ type: 'when', test, yes, no }];
}

/** Changes facts, without a text. `forms`: a question about them, which the tale may ask later, and the answer. */
export function act(run: (world: World) => void, forms: readonly Form[] = []): Node[] {
  return [{ type: 'act', run, forms }];
}
