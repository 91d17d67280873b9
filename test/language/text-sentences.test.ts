import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { FreePart } from '../../src/labs/language/place/text/FreePart.tsx';
import { instead } from '../../src/labs/language/place/text/instead.ts';
import { densityOf, languageSubject } from '../../src/labs/language/place/subject.ts';
import { headline } from '../../src/labs/language/place/text/headline.ts';
import { readRecordedTexts, recordedText } from '../../src/labs/language/place/text/recorded.ts';
import { calibrationProblem, SideTable } from '../../src/labs/language/place/text/Figures.tsx';
import { LikelyPanel, MixedNote } from '../../src/labs/language/place/text/Side.tsx';
import { multipliedText, type Text, tokenText } from '../../src/labs/language/place/text/text.ts';
import { textStory } from '../../src/labs/language/place/show/text-story.ts';
import { shownText } from '../markup.ts';
import { type Facts, number, percent, plainText, Read } from '../sentences.ts';
import { shippedQuality } from './offers.ts';
import { cells } from './speed-questions.ts';

/* The law for sentences, for what a model writes: numbers are read from the recorded texts and from the rows of recordings. */

const texts = readRecordedTexts(JSON.parse(readFileSync('public/models/tales/texts.json', 'utf8')));
const quality = shippedQuality('tales');

/** Every recorded text of the model, with what many tales say of the same pruning. */
const RECORDED = texts.marks.flatMap((mark) => {
  const { model, prompt, seed, temperature } = texts;
  const pruning = mark.density === 1 ? null : ({ way: mark.way, density: mark.density } as never);
  const request = {
    model: { id: model, url: '' },
    prompt,
    seed,
    temperature,
    pruning,
    format: 'dense',
    params: {},
    count: 480,
  };
  const text = recordedText(texts, request);
  const row = quality.rows.find(
    ({ way, density, valueType, pattern, trained }) =>
      (mark.density === 1 ? way === 'none' : way === mark.way) &&
      density === mark.density &&
      valueType === 'f16' &&
      pattern === undefined &&
      trained === undefined,
  );
  return text ? [{ mark, text, row }] : [];
});

const measuredOf = (row: (typeof quality.rows)[number] | undefined) =>
  row ? { bitsPerByte: row.bitsPerByte, unbroken: row.unbroken ?? null, judged: row.judged ?? null } : null;
const dense = measuredOf(quality.rows[0]);

/** The beginning of what is forgotten, by the law that breaks first. */
const FORGOTTEN: Readonly<Record<string, RegExp>> = {
  spelling: /^how to spell/,
  grammar: /^how a sentence goes$/,
  owner: /^whose things are$/,
  name: /^who is who$/,
  color: /^what color things have$/,
  order: /^how a tale goes on$/,
  thing: /^what it was$/,
  place: /^where things are$/,
};

/** Whether a law breaks in the free text that does not break in the dense one at the same place. */
function brokenLaw({ written }: Text): string | null {
  const [free, whole] = [written?.verdicts?.free.broken, written?.verdicts?.dense.broken];
  if (!free || free.law === 'undecided' || (whole?.offset === free.offset && whole.found === free.found)) return null;
  return free.law;
}

describe('the headline of a text', () => {
  it('names the share that is left, the law or the costliest word, and the figures of many tales', () => {
    const read = new Read();
    const kinds = new Set<string>();
    for (const { mark, text, row } of RECORDED) {
      const own = [null, 'mixed', 'i4'][kinds.size % 3];
      for (const pruned of [measuredOf(row), null, { bitsPerByte: 0.2345, unbroken: null, judged: null }]) {
        for (const choice of mark.density === 1 ? [null] : [null, own]) {
          const said = plainText(headline({ density: mark.density, own: choice, text, pruned, dense }));
          const facts: Record<string, Facts[string]> = {
            left: { ...percent(mark.density), digits: 1 },
            own: choice ?? '',
            bits: number(pruned?.bitsPerByte ?? 0, 3),
            before: number(dense?.bitsPerByte ?? 0, 3),
            unbroken: number(pruned?.unbroken ?? 0),
            judged: number(pruned?.judged ?? 0),
            whole: number(dense?.unbroken ?? 0),
          };
          const where = `${mark.way} ${mark.density}: ${said}`;
          if (mark.density === 1) {
            const known = pruned ?? dense;
            facts.unbroken = number(known?.unbroken ?? 0);
            facts.judged = number(known?.judged ?? 0);
            const rule = known?.unbroken == null ? '' : ': {unbroken} of {judged} tales are free of errors';
            const end = 'Prune, and see what it forgets.';
            read.sentence(said, `Nothing is pruned${rule}. ${end}`, facts, where);
            kinds.add('dense');
            continue;
          }
          const lead =
            choice === 'mixed'
              ? `With mixed choices and ${mark.density === 0.5 ? 'half' : '{left}'} of its weights`
              : choice === null
                ? `At ${mark.density === 0.5 ? 'half' : '{left}'} of its weights`
                : 'With every matrix {own},';
          const share = (pruned?.unbroken ?? 0) === 0 ? 'none' : '{unbroken}';
          const are = (pruned?.unbroken ?? 0) < 2 ? 'is' : 'are';
          const figures =
            pruned === null
              ? ''
              : pruned.unbroken === null
                ? '{bits} bits per byte (unpruned: {before})'
                : `${share} of {judged} tales ${are} free of errors (unpruned: {whole})`;
          const colon = figures === '' ? '' : `: ${figures}`;
          const law = brokenLaw(text);
          const max = Math.max(...text.held.map(({ lost }) => lost));
          facts.max = number(max, 1);
          if (law !== null) {
            const [, known = '', lost = ''] =
              /(?: it no longer knows |it still knows (.+?), but no longer )(.+?)(?:: (?:\d|none)|\.$)/.exec(said) ??
              [];
            expect(lost, where).toMatch(FORGOTTEN[law]);
            facts.known = known;
            facts.lost = lost;
            const knows = known === '' ? 'no longer knows {lost}' : 'still knows {known}, but no longer {lost}';
            read.sentence(said, `${lead} it ${knows}${colon}.`, facts, where);
          } else if (max >= 0.5) {
            facts.word = /costs most at (.+?): /.exec(said)?.[1] ?? '';
            const costly = text.held.find(({ lost }) => lost === max)?.text.trim() ?? '?';
            expect(facts.word, where).toContain(costly);
            const many = figures === '' ? '' : `. Over many tales ${figures}`;
            read.sentence(said, `${lead} this text costs most at {word}: {max} bits${many}.`, facts, where);
          } else {
            read.sentence(said, `${lead} it has forgotten nothing this tale shows${colon}.`, facts, where);
          }
          kinds.add(law ?? (max >= 0.5 ? 'cost' : 'nothing'));
        }
      }
    }
    expect(RECORDED.length).toBeGreaterThan(8);
    expect(kinds.size).toBeGreaterThan(2);
  });
});

describe('beside a text', () => {
  it('are the figures of both models, and nothing that was not measured', () => {
    const read = new Read();
    const perTale = (row: { readonly bitsPerByte: number }) =>
      number(((row.bitsPerByte - quality.floor.exact) * quality.bytes) / quality.tales);
    for (const { mark, text, row } of RECORDED) {
      for (const pruned of [measuredOf(row), null]) {
        for (const [areTales, known] of [
          [true, dense],
          [true, null],
          [false, null],
        ] as const) {
          const table = shownText(
            createElement(SideTable, {
              areTales,
              text: areTales ? null : text.written,
              quality,
              dense: known,
              pruned,
              density: mark.density,
              own: null,
              format: 'macko',
              matrices: 42,
              denseBytes: 6_635_520,
              bytes: 4_212_345,
              rates: { dense: 123.4, pruned: null },
              where: 'on the CPU',
            }),
          ).split('\n');
          const facts: Facts = {
            left: { ...percent(mark.density), digits: 1 },
            bits: number(pruned?.bitsPerByte ?? 0, 4),
            before: number(known?.bitsPerByte ?? 0, 4),
            lost: perTale(pruned ?? { bitsPerByte: 0 }),
            lostBefore: perTale(known ?? { bitsPerByte: 0 }),
            judged: number(known?.judged ?? pruned?.judged ?? 0),
            unbroken: number(pruned?.unbroken ?? 0),
            whole: number(known?.unbroken ?? 0),
            ownDense: number((text.written?.denseBits ?? 0) / (text.written?.bytes ?? 1), 3),
            ownPruned: number((text.written?.prunedBits ?? 0) / (text.written?.bytes ?? 1), 3),
            matrices: number(42),
            mb: number(6.63552, 3),
            storedMb: number(4.212345, 3),
            speed: number(123.4, 3),
          };
          const a = (rule: string): string => (known === null ? '–' : rule);
          const b = (rule: string): string => (pruned === null ? '–' : rule);
          const isJudged = known !== null || pruned !== null;
          const rules = [
            '| dense | {left}',
            ...(areTales
              ? [
                  `bits per byte | ${a('{before}')} | ${b('{bits}')}`,
                  `lost bits a tale | ${a('{lostBefore}')} | ${b('{lost}')}`,
                  `${isJudged ? 'unbroken of {judged}' : 'unbroken tales'} | ${a('{whole}')} | ${b('{unbroken}')}`,
                ]
              : ['bits per byte, this text | {ownDense} | {ownPruned}']),
            '{matrices} matrices, MB | {mb} | {storedMb}',
            'tokens/s on the CPU, wall clock | {speed} | not yet',
          ];
          expect(table.map((line) => cells(line).length)).toEqual(rules.map((rule) => cells(rule).length));
          for (const [i, rule] of rules.entries()) {
            read.sentence(table[i], rule, facts, `${mark.density}, ${table[i]}`);
          }
        }
      }
    }
    expect(read.met('unbroken tales | – | –')).toBeGreaterThan(5);
  });

  it('are the likeliest words with both shares, and what the token and the text lost', () => {
    const read = new Read();
    for (const { mark, text } of RECORDED) {
      const sum = text.held.reduce((all, { lost }) => all + lost, 0);
      for (const token of text.held.filter((_, i) => i % 7 === 0)) {
        const [head, ...rows] = shownText(
          createElement(LikelyPanel, { behind: 'X', token, lost: sum, formats: ['dense', 'macko'] }),
        ).split('\n');
        const isSurer = token.lost < -0.05;
        const facts = { lost: number(isSurer ? -token.lost : token.lost), all: number(sum) };
        const rule = isSurer ? '{lost} bits surer pruned' : '{lost} of {all} bits lost';
        read.sentence(head, `After “…X” ${rule}`, facts, `${mark.density}: ${head}`);
        for (const [i, row] of rows.entries()) {
          const shares = row.slice(row.search(/(?:<?\d[\d.]*)\u202f% →/));
          const { dense: before, pruned } = token.likely[i];
          const of = (share: number, name: string): string => (share > 0 && share < 0.0005 ? '<1\u202f%' : `{${name}}`);
          const rule2 = `${of(before, 'before')} → ${of(pruned, 'after')}`;
          const its = { before: { ...percent(before), digits: 0 }, after: { ...percent(pruned), digits: 0 } };
          if (rule2.includes('<1')) continue;
          read.sentence(shares, rule2, its, `${mark.density}: ${row}`);
        }
      }
    }
    expect(read.met('{before} → {after}')).toBeGreaterThan(100);
  });

  it('is how many matrices have choices of their own, and of which text Wanda weighs', () => {
    const read = new Read();
    for (const [count, words] of [
      [1, 'mixed'],
      [7, 'mixed'],
      [42, 'i4'],
    ] as const) {
      const choices = Array.from({ length: count }, (_, layer) => ({ layer, name: 'q' }));
      const own = { choices, words, density: count === 7 ? 1 : 0.4567 };
      for (const isMeasured of [false, true]) {
        const note = shownText(createElement(MixedNote, { own: own as never, matrices: 42, isMeasured }));
        const which =
          count === 42 ? 'All {all} matrices have' : `{count} of {all} matrices ${count === 1 ? 'has' : 'have'}`;
        const whose = words === 'mixed' ? '' : ': {words}';
        const rule = `${which} choices of their own${whose}. Of all weights ${count === 7 ? 'all' : '{left}'} are left.${isMeasured ? '' : ' Not measured over tales.'} as the sentence says`;
        const facts = { all: number(42), count: number(count), words, left: percent(0.4567) };
        read.sentence(note, rule, facts, note);
      }
    }
    const rule = 'Text for Wanda: found {count} characters, expected at {bound} {limit}';
    const short = calibrationProblem(` ${'x'.repeat(199)} `) ?? '';
    const facts = { count: number(199), bound: 'least', limit: number(200) };
    read.sentence(short, `${rule}.`, facts, short);
    const long = calibrationProblem('x'.repeat(4001)) ?? '';
    read.sentence(long, `${rule}.`, { count: number(4001), bound: 'most', limit: number(4000) }, long);
    expect([200, 4000].map((length) => calibrationProblem('x'.repeat(length)))).toEqual([null, null]);
  });

  it('is how many matrices are multiplied in the format', () => {
    const read = new Read();
    for (const inFormat of [0, 1, 40, 42]) {
      const text = multipliedText({ inFormat, refusal: inFormat === 42 ? null : 'found 9' }, 'ELL', 42) ?? '';
      const rule =
        inFormat === 42
          ? 'Tokens/s: in ELL.'
          : inFormat === 0
            ? 'Tokens/s: dense. ELL: {why}.'
            : '{dense} of {all} matrices are dense. ELL: {why}.';
      read.sentence(text, rule, { dense: number(42 - inFormat), all: number(42), why: 'found 9' }, `${inFormat}`);
    }
  });
});

describe('what another model writes instead', () => {
  it('names the model of the sentence and the one that writes, with the share of the sentence', () => {
    const read = new Read();
    for (const left of [0.005, 0.125, 0.5, 0.9, 1]) {
      for (const [asked, name] of [
        ['llama-3.1-8b', 'Llama-3.1-8B'],
        ['gpt-2', 'GPT-2'],
        [null, null],
      ] as const) {
        const text = instead({ asked, writes: 'Tales 0.6M', left });
        const facts = { asked: name ?? '', writes: 'Tales 0.6M', left: { ...percent(left), digits: 1 } };
        const why = asked === null ? 'No model is chosen' : '{asked} is too large here';
        read.sentence(text, `${why}: {writes} writes instead, pruned to the same {left}.`, facts, text);
        read.sentence(
          instead({ asked, writes: 'Tales 0.6M', left: null }),
          `${why}: {writes} writes instead, pruned to {usual} by Wanda.`,
          {
            ...facts,
            usual: percent(densityOf(languageSubject({ kind: 'file', name: 'a.mtx' } as never, '').pruning)),
          },
          text,
        );
      }
    }
  });
});

describe('a text that is read again', () => {
  it('says where the free text leaves it, and in which sentence a law breaks', () => {
    const read = new Read();
    for (const { mark, text } of RECORDED) {
      for (const fork of [text.free?.fork ?? 0, 1]) {
        const own: Text = text.free ? { ...text, free: { ...text.free, fork } } : text;
        const lines = shownText(createElement(FreePart, { text: own, mode: 'free' })).split('\n');
        const isSame = text.free?.tokens.length === 0;
        const rule = isSame
          ? 'Let free the same to the end'
          : `Let free the same for {fork} ${fork === 1 ? 'token' : 'tokens'}, then`;
        read.sentence(lines[0], rule, { fork: number(fork) }, lines[0]);
        const broken = mark.verdict.broken;
        if (broken === null) expect(lines[1]).toBe('No law is broken.');
        else {
          const [, law, inBoth, sentence, of] =
            /^(\w+)(, in both texts)?, sentence (\d+) of (\d+): /.exec(lines[1]) ?? [];
          expect([Number(sentence), Number(of)], lines[1]).toEqual([broken.sentence + 1, mark.verdict.sentences]);
          expect(law.toLowerCase()).toBe(broken.law);
          const both = texts.verdict.broken;
          expect(inBoth !== undefined).toBe(both?.offset === broken.offset && both.found === broken.found);
        }
      }
    }
  });

  it('is told token by token, with the bits that were lost so far and the token that lost the most', () => {
    const read = new Read();
    for (const { mark, text } of RECORDED.filter(({ mark: { density } }) => density < 1)) {
      const { density } = mark;
      const story = textStory(text, { density, title: '', about: '' });
      const facts = { left: { ...percent(density), digits: 1 } };
      const opening =
        'The dense model wrote this tale. With {left} of its weights, it reads it now: the redder, the more bits lost.';
      read.sentence(plainText(story.words(0)), opening, facts, `${density}`);
      for (const step of [1, 2, 10, 50, text.held.length]) {
        const lost = text.held.slice(0, step).map((token) => token.lost);
        const sum = Math.max(
          0,
          lost.reduce((a, b) => a + b, 0),
        );
        const max = Math.max(...lost);
        const said = plainText(story.words(step));
        const first = `${sum < 0.05 ? 'Nothing is' : '{sum} bits'} lost in the first {count} of {all} tokens.`;
        const [, word = '', would] =
          / The most at “(.+?)”: [\d.]+ bits(?:, where the pruned model would write “(.+?)”)?\./.exec(said) ?? [];
        const costliest =
          max < 0.5
            ? ''
            : ` The most at “{word}”: {max} bits${would ? ', where the pruned model would write “{would}”' : ''}.`;
        const token = text.held[lost.indexOf(max)];
        if (max >= 0.5) expect(word).toContain(token.text.trim());
        if (would) expect(would).toBe(token.would?.trim());
        const its = {
          sum: number(sum),
          count: number(step),
          all: number(text.held.length),
          max: number(max),
          word,
          would: would ?? '',
        };
        read.sentence(said, `${first}${costliest}`, its, `${density}, ${step}`);
      }
      const fork = text.free?.fork ?? 0;
      if ((text.free?.tokens.length ?? 0) === 0) continue;
      const free = plainText(story.words(text.held.length + 1));
      const parted = free.slice(free.indexOf('By itself'));
      const rule =
        fork === 0
          ? 'By itself, the pruned model writes another tale.'
          : `By itself, the pruned model writes the same {fork} ${fork === 1 ? 'token' : 'tokens'}, then its own.`;
      read.sentence(parted, rule, { fork: number(fork) }, `${density}`);
    }
  });

  it('is read out with the bits of each token', () => {
    const read = new Read();
    for (const { text } of RECORDED) {
      for (const token of text.held) {
        const said = tokenText(token);
        const bits = Math.abs(token.lost) < 0.05 ? '' : `, {lost} bits ${token.lost < 0 ? 'gained' : 'lost'}`;
        const would = token.would === null ? '' : ', would write {would}';
        const [, word = ''] = /^(.+?)(?:, [\d.]+ bits (?:lost|gained)|, would write |$)/.exec(said) ?? [];
        const its = {
          word,
          lost: number(Math.abs(token.lost)),
          would: token.would?.trim() || (/[\n\r]/.test(token.would ?? '') ? 'new line' : 'space'),
        };
        read.sentence(said, `{word}${bits}${would}`, its, said);
      }
    }
    expect(read.met('{word}, {lost} bits lost, would write {would}')).toBeGreaterThan(20);
  });
});
