import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import type { PosedQuestion } from '../../src/core/story/question.ts';
import type { RecordedQuality, RecordedRow } from '../../src/labs/language/decoders/quality/recorded.ts';
import { factsOf } from '../../src/labs/language/place/lesson/facts.ts';
import { liveWords } from '../../src/labs/language/place/lesson/LessonFigure.tsx';
import { rowAt, rowTitle } from '../../src/labs/language/place/lesson/rows.ts';
import { type Facts, number, percent, plainText, Read, times } from '../sentences.ts';
import { shippedQuality } from './offers.ts';

/*
 * The law for sentences, for what lessons ask about models: of any models that were measured, with the figures of their own
 * rows, and nothing is claimed where these rows do not show it.
 */

const SHIPPED = ['tales', 'tales-relu', 'tales-small'].map(shippedQuality);
const LAWS = ['spelling', 'grammar', 'name', 'color', 'owner', 'order', 'end', 'place', 'number'];

/** A recording with the same models, where other figures were measured. */
function changed(quality: RecordedQuality, random: Random): RecordedQuality {
  const rows = quality.rows.map((row): RecordedRow => {
    const unbroken = random.below(4) === 0 ? 0 : random.below(400);
    const counts = LAWS.map((law) => [law, random.below(3) === 0 ? 0 : random.below(60)] as const);
    const broken = counts.reduce((sum, [, count]) => sum + count, 0);
    return {
      ...row,
      bitsPerByte: row.bitsPerByte * (0.8 + 0.4 * random.uniform()),
      unbroken,
      judged: unbroken + broken,
      firstBroken: Object.fromEntries(counts),
    };
  });
  return { ...quality, rows };
}

/** The name of a measured model, as lessons write it. */
function nameOf({ way, density, pattern, valueType, trained }: RecordedRow): string {
  const cells = valueType === 'f16' ? '' : valueType;
  const left = pattern?.replace(':', '-of-') ?? String(Math.round(100 * density));
  const pruned =
    way === 'none' ? (cells === '' ? 'dense' : '') : `${way}-${left}${trained === undefined ? '' : '-trained'}`;
  return [cells, pruned].filter((part) => part !== '').join('-');
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'words and sentences': ['spelling', 'grammar'],
  'names and colors': ['name', 'color', 'pronoun'],
  owners: ['owner'],
  'the order of events': ['order', 'end'],
  'places, things and numbers': ['place', 'thing', 'tool', 'number', 'riddle'],
};

const inGroup = ({ firstBroken = {} }: RecordedRow, title: string): number =>
  GROUPS[title].reduce((sum, law) => sum + (firstBroken[law] ?? 0), 0);
const brokenOf = ({ judged = 0, unbroken = 0 }: RecordedRow): number => judged - unbroken;
const left = ({ density }: RecordedRow) => percent(density);
const gone = ({ density }: RecordedRow) => percent(1 - density);
const unbrokenOf = (row: RecordedRow) => number(row.unbroken ?? 0);
const bitsOf = ({ bitsPerByte }: RecordedRow) => number(bitsPerByte, 3);
/** How 'no tale', '1 tale' and '7 tales' begin a rule. */
const talesRule = (row: RecordedRow, name: string): string =>
  row.unbroken === 0 ? 'no tale' : `{${name}} ${row.unbroken === 1 ? 'tale' : 'tales'}`;
const groupOf = ({ pattern }: RecordedRow): number => Number(pattern?.split(':')[1] ?? 1e9);

interface Asked {
  readonly question: PosedQuestion;
  readonly rows: readonly RecordedRow[];
  readonly quality: RecordedQuality;
}

/** What a question about these models says, if it is asked. */
function asked(id: string, quality: RecordedQuality, rows: readonly RecordedRow[]): Asked | null {
  const compared = { shown: 'bits' as const, rows: rows.map(nameOf) };
  const question = factsOf({ model: 'tales', compared }, quality).ask(id);
  return question && { question, rows, quality };
}

/** Recordings as they are and changed, and of each some of its models by chance. */
function* choices(
  count: number,
  falling: boolean,
): Generator<{ quality: RecordedQuality; rows: readonly RecordedRow[] }> {
  const random = new Random(41);
  for (let i = 0; i < 4000; i++) {
    const shipped = SHIPPED[i % SHIPPED.length];
    const quality = i % 4 === 0 ? shipped : changed(shipped, random);
    const way = (['wanda', 'magnitude', 'random', 'rows'] as const)[random.below(4)];
    const isOneWay = random.below(3) > 0;
    const of = quality.rows.filter((row) => (!isOneWay || row.way === way) && (!falling || row.pattern === undefined));
    const rows = Array.from({ length: Math.min(count, of.length) }, () => of[random.below(of.length)]);
    if (new Set(rows).size < rows.length || rows.length < 2) continue;
    yield { quality, rows: falling ? rows.toSorted((a, b) => b.density - a.density) : rows };
  }
}

const reply = ({ question }: Asked, id: string): string =>
  plainText(question.wrong.find((one) => one.id === id)?.reply ?? null);
/** In a word such as 'i4' or '2:4' is no number. */
const titled = (text: string, titles: readonly string[]): string =>
  titles.reduce((all, title, i) => all.replaceAll(title, `<${'abcdef'[i]}>`), text);

describe('what a lesson asks about models', () => {
  it('is down to which share half of the tales stay unbroken', () => {
    const read = new Read();
    for (const { quality, rows: some } of choices(6, true)) {
      const whole = quality.rows.find(({ way, valueType }) => way === 'none' && valueType === 'f16');
      const those = some.filter(({ way }) => way !== 'none');
      const one = whole && asked('last-whole', quality, [whole, ...those]);
      if (!whole || !one) continue;
      const half = (whole.unbroken ?? 0) / 2;
      const last = those.filter(({ unbroken = 0 }) => unbroken >= half).at(-1);
      const next = those.find(({ unbroken = 0 }) => unbroken < half);
      if (!last || !next) throw new Error('asked where there is no answer');
      const where = `${quality.model}, ${those.map(nameOf).join(' ')}`;
      const { question } = one;
      expect(
        those.every(({ way, valueType, trained }) => way !== 'random' && valueType === 'f16' && trained === undefined),
      ).toBe(true);
      expect(those.indexOf(next)).toBe(those.indexOf(last) + 1);
      const facts: Facts = {
        whole: unbrokenOf(whole),
        judged: number(whole.judged ?? 0),
        last: left(last),
        lastTales: unbrokenOf(last),
        next: left(next),
        nextTales: unbrokenOf(next),
        first: gone(those[0]),
        firstTales: unbrokenOf(those[0]),
        spared: percent(0.5),
        sparedTales: unbrokenOf(those.find(({ density }) => density === 0.5) ?? next),
      };
      read.sentence(
        plainText(question.ask),
        'Dense, the model writes {whole} of {judged} unbroken tales. The least important weights go first. Down to which share does it still write half as many?',
        facts,
        where,
      );
      read.sentence(String(question.answer), '{last}', facts, where);
      for (const [i, option] of (question.options ?? []).entries()) {
        read.sentence(option, '{left}', { left: left(those[i]) }, where);
      }
      read.sentence(
        plainText(question.because),
        'At {last} it writes {lastTales}, at {next} {nextTales}.',
        facts,
        where,
      );
      const every = reply(one, 'every-weight-counts');
      if (last !== those[0]) {
        read.sentence(
          every,
          `Without the least important {first}, ${talesRule(those[0], 'firstTales')} stayed unbroken.`,
          facts,
          where,
        );
      }
      const spare = reply(one, 'half-is-spare');
      const atHalf = those.find(({ density }) => density === 0.5);
      if (spare !== '' && atHalf) {
        read.sentence(
          spare,
          `Nearly true for billions of weights. This model has few: at {spared}, ${talesRule(atHalf, 'sparedTales')} stayed unbroken.`,
          facts,
          where,
        );
      }
    }
    expect(read.met('{last}')).toBeGreaterThan(20);
  });

  it('is what breaks first, where that is how to write', () => {
    const read = new Read();
    for (const { quality, rows } of choices(2, false)) {
      const [dense, pruned] = rows;
      const one = asked('breaks-first', quality, rows);
      if (!one) continue;
      const counts = Object.keys(GROUPS).map((title) => inGroup(pruned, title));
      expect(counts.slice(1).every((count) => count < counts[0])).toBe(true);
      const facts: Facts = {
        left: left(pruned),
        broken: number(brokenOf(pruned)),
        judged: number(pruned.judged ?? 0),
        first: number(counts[0]),
        owners: number(inGroup(pruned, 'owners')),
        whole: number(brokenOf(dense)),
      };
      const where = rows.map(nameOf).join(' ');
      read.sentence(
        plainText(one.question.ask),
        'At {left} of its weights, {broken} of {judged} tales break a law. What breaks first in most?',
        facts,
        where,
      );
      expect(one.question.answer).toBe('words and sentences');
      read.sentence(
        plainText(one.question.because),
        'In {first} of {broken} broken tales it is a word or sentence that no tale has.',
        facts,
        where,
      );
      read.sentence(reply(one, 'owners-first'), 'Owners break first in only {owners} of {broken} tales.', facts, where);
      const grows = one.question.wrong.find(({ id }) => id === 'weakness-grows');
      if (!grows) continue;
      const title = String(grows.answer);
      expect(inGroup(dense, title)).toBe(Math.max(...Object.keys(GROUPS).map((group) => inGroup(dense, group))));
      read.sentence(
        plainText(grows.reply),
        'Dense, they are {usual} of {whole} slips. Here they come first in {here} of {broken}.',
        { ...facts, usual: number(inGroup(dense, title)), here: number(inGroup(pruned, title)) },
        where,
      );
    }
    expect(read.met('In {first} of {broken} broken tales it is a word or sentence that no tale has.')).toBeGreaterThan(
      20,
    );
  });

  it('is which of two patterns breaks it, where one does and the other does not', () => {
    const read = new Read();
    const because = (rule: string): string =>
      `With <a> it needs {worse} bits a byte, and ${rule} stayed unbroken. With <b> it needs {better}, and {tales} of {judged} did.`;
    for (const { quality, rows } of pairs()) {
      const one = asked('which-breaks-first', quality, rows);
      if (!one) continue;
      const [worse, better] = rows.toSorted((a, b) => b.bitsPerByte - a.bitsPerByte);
      const dense = quality.rows[0].unbroken ?? 0;
      expect((worse.unbroken ?? 0) <= dense / 10 && (better.unbroken ?? 0) >= dense / 2).toBe(true);
      expect(groupOf(worse) < groupOf(better) && worse.density < better.density).toBe(true);
      const titles = [rowTitle(worse), rowTitle(better)];
      const said = (text: string): string => titled(text, titles);
      const facts: Facts = {
        worse: bitsOf(worse),
        better: bitsOf(better),
        none: unbrokenOf(worse),
        tales: unbrokenOf(better),
        judged: number(better.judged ?? 0),
        gone: gone(better),
        lost: gone(worse),
        kept: left(better),
        fewer: left(worse),
      };
      const where = titles.join(', ');
      read.sentence(said(plainText(one.question.because)), because(talesRule(worse, 'none')), facts, where);
      read.sentence(
        said(reply(one, 'patterns-break')),
        `<b> chooses within groups, and takes only {gone}: ${talesRule(better, 'tales')} stayed unbroken.`,
        facts,
        where,
      );
      read.sentence(
        said(reply(one, 'larger-groups-break')),
        'A larger group is freer. And <b> keeps {kept}, not {fewer}.',
        facts,
        where,
      );
      read.sentence(
        said(reply(one, 'patterns-are-free')),
        '<a> takes {lost} wherever they are. This model has no such room: {worse} bits a byte.',
        facts,
        where,
      );
    }
    expect(read.met(because('no tale'))).toBeGreaterThan(5);
  });

  it('is which of several loses the most, where smaller groups lose more', () => {
    const read = new Read();
    for (const { quality, rows } of [...pairs(), ...pairs(3)]) {
      const one = asked('which-loses-most', quality, rows);
      if (!one) continue;
      const sorted = rows.toSorted((a, b) => groupOf(a) - groupOf(b));
      const [worst] = sorted;
      const best = sorted[sorted.length - 1];
      expect(sorted.map(({ bitsPerByte }) => -bitsPerByte)).toEqual(
        rows.map(({ bitsPerByte }) => -bitsPerByte).toSorted((a, b) => a - b),
      );
      expect(new Set(rows.map(({ way, density, valueType }) => `${way} ${density} ${valueType}`)).size).toBe(1);
      const titles = [rowTitle(worst), ...(best.pattern === undefined ? [] : [rowTitle(best)])];
      const said = (text: string): string => titled(text, titles);
      const facts: Facts = {
        left: left(worst),
        worst: bitsOf(worst),
        best: bitsOf(best),
        ratio: times(worst.bitsPerByte / best.bitsPerByte),
      };
      const where = rows.map(nameOf).join(' ');
      read.sentence(
        plainText(one.question.ask),
        'All of these leave {left} of the weights, chosen alike. They differ in where one may stay. Which loses most?',
        facts,
        where,
      );
      read.sentence(
        said(plainText(one.question.because)),
        `<a> needs {worst} bits a byte, ${best.pattern === undefined ? 'a free choice' : '<b>'} {best}. The smaller the group, the more good weights collide.`,
        facts,
        where,
      );
      read.sentence(
        said(reply(one, 'only-the-share-counts')),
        'Which weights stay counts, too: <a> needs {ratio} times the bits of the best.',
        facts,
        where,
      );
      const others = rows.filter((row) => row !== worst);
      for (const [i, row] of others.entries()) {
        read.sentence(
          reply(one, `more-freedom-loses-${i + 1}`),
          'It needs {bits} bits. What a smaller group may keep, a larger one may.',
          { bits: bitsOf(row) },
          where,
        );
      }
    }
    expect(read.met('It needs {bits} bits. What a smaller group may keep, a larger one may.')).toBeGreaterThan(20);
  });

  it('is whether fewer bits beat fewer weights, where they do', () => {
    const read = new Read();
    const rule = (none: string): string =>
      `With four bits, {tales} of {judged} tales stay unbroken; with half of the weights, ${none}.`;
    for (const { quality, rows } of pairs()) {
      const one = asked('narrow-or-few', quality, rows);
      if (!one) continue;
      const [narrow, few] = rows;
      expect([narrow.valueType, narrow.way, few.valueType, few.density, few.trained]).toEqual([
        'i4',
        'none',
        'f16',
        0.5,
        undefined,
      ]);
      expect(narrow.bitsPerByte).toBeLessThan(few.bitsPerByte);
      const facts: Facts = {
        tales: unbrokenOf(narrow),
        judged: number(narrow.judged ?? 0),
        others: unbrokenOf(few),
      };
      const none = few.unbroken === 0 ? 'none' : '{others}';
      read.sentence(plainText(one.question.because), rule(none), facts, rows.map(nameOf).join(' '));
    }
    expect(read.met(rule('none'))).toBeGreaterThan(5);
  });
});

/** Every pair of models of each recording, or every three with a pattern or of one share, as they are and changed. */
function* pairs(count: 2 | 3 = 2): Generator<{ quality: RecordedQuality; rows: readonly RecordedRow[] }> {
  const random = new Random(7);
  for (const shipped of SHIPPED) {
    for (const quality of [shipped, changed(shipped, random), changed(shipped, random)]) {
      const { rows } = quality;
      const some = count === 2 ? rows : rows.filter(({ density, trained }) => density === 0.5 && trained === undefined);
      for (const a of some) {
        for (const b of some) {
          if (a === b) continue;
          if (count === 2) yield { quality, rows: [a, b] };
          else for (const c of some) if (c !== a && c !== b) yield { quality, rows: [a, b, c] };
        }
      }
    }
  }
}

it('measured models are told apart by their names, and a text is of the model that is pruned in the same way', () => {
  for (const quality of SHIPPED) {
    const titles = quality.rows.map(rowTitle);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
    for (const row of quality.rows) {
      if (row.pattern !== undefined || row.valueType !== 'f16' || row.trained !== undefined) continue;
      expect(rowAt(quality, row.way, row.density)?.bitsPerByte, nameOf(row)).toBe(row.bitsPerByte);
    }
    expect(rowAt(quality, 'wanda', 0.61)).toBeNull();
  }
});

it('what is measured here says on how many tales it is so far', () => {
  const read = new Read();
  const found = (...counts: readonly number[]) =>
    new Map(counts.map((judged, i) => [`model ${i}`, { judged, tales: judged + 1 } as never]));
  const facts: Facts = { min: number(3), max: number(12), one: number(1), twelve: number(12) };
  const here = 'The thin bars are measured here, on';
  read.sentence(liveWords(found(12, 12), 'laws'), `${here} {twelve} tales.`, facts, 'all');
  read.sentence(liveWords(found(12, 3), 'unbroken'), `${here} {min} to {max} tales.`, facts, 'some');
  read.sentence(liveWords(found(1), 'unbroken'), `${here} {one} tale.`, facts, 'one');
  read.sentence(liveWords(found(11), 'bits'), `${here} {twelve} tales.`, facts, 'bits');
});
