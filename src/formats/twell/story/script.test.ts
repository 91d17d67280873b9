import { describe, expect, it } from 'vitest';
import { frameOf, lastPicture, NOWHERE, outside, wordsAt } from '../../../../test/frames.ts';
import { columnsMatrix } from '../../../../test/matrices.ts';
import { shippedMatrices } from '../../../../test/shipped.ts';
import { type Matrix, subMatrix } from '../../../core/matrix/index.ts';
import { type Frame, type FrameContext, type RecordedMatrix, restMs } from '../../../core/story/frames.ts';
import type { Drawing } from '../../../core/story/scene.ts';
import type { TwellParams } from '../params.ts';
import { frames } from './script.ts';
import { trace } from './trace.ts';

const P: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
const framesOf = (m: Matrix, given: Partial<TwellParams> = {}): readonly Frame[] =>
  frames(trace(m, { ...P, ...given }));

const block = (density: number, timesDense: number | null): RecordedMatrix => ({
  rows: 2048,
  cols: 5632,
  density,
  pattern: 'activations',
  operation: 'forward',
  tokens: 1,
  date: '22 November 2026',
  format: timesDense === null ? null : { ns: 3_900_400 / timesDense, timesDense, bytes: 94_380_032 },
  dense: { ns: 3_900_400, timesDense: 1, bytes: 94_371_840 },
  dense4: null,
});
const on = (...matrices: readonly RecordedMatrix[]): FrameContext => ({
  layout: 'wide',
  whole: null,
  recorded: { device: 'Card', matrices },
});
const RECORDED = on(block(0.0213, 2.5555), block(0.0053, 2.8597), { ...block(0.001, 36), operation: 'up-down' });

const sentence = (frame: Frame, context = NOWHERE): string => frame.sentence(context).text;

const isDrawn = ({ marks }: Drawing, id: string): boolean => marks.some((mark) => mark.id === id);

const digits = [...(await shippedMatrices())].find(([{ id }]) => id === 'digits-gate-l1-1e-2')?.[1];
if (!digits) throw new Error('found no example digits-gate-l1-1e-2');
const BOARD = subMatrix(digits, { row: 64, col: 672, rows: 5, cols: 32 });
/** Its last token has four non-zeros in a tile. */
const HOT = subMatrix(digits, { row: 0, col: 672, rows: 6, cols: 32 });

describe('the frames of five tokens', () => {
  const all = framesOf(BOARD);

  it('say who waits, what is stored instead, what is not computed, and what it is worth', () => {
    expect(all.map((frame) => [frame.chapter, sentence(frame, RECORDED)])).toEqual([
      ['The problem', 'ReLU turns everything below 0 into 0: only *11 of 160* stay.'],
      ['The problem', 'B has three values to store. Where? *It must wait for A.*'],
      ['The idea', 'Every tile owns *four cells: one count, three values*. Nobody waits.'],
      ['Three tiles, slowly', 'Tile 0: one fired. It stores *how many, the value, which neuron*.'],
      ['Three tiles, slowly', 'Tile 1: nobody fired, three cells stay empty. Tile 2: three fired, *full*.'],
      ['The odd case', 'A fourth neuron fires in one tile. What happens?'],
      ['The odd case', 'Three fit. A fourth *would not*.'],
      ['All at once', 'All *20 tiles* pack at the same time: *11 values* are stored.'],
      ['The payoff', 'The 160 numbers came from *gate, computed in full*: a third of the work.'],
      ['The payoff', '149 of 160 numbers are 0. How much of the whole work is left?'],
      ['The payoff', 'Up and down read weights *only for neurons that fired*.'],
      ['So what', 'Without tensor cores *2.86* times as fast as dense; whole models with them about *1.2*.'],
    ]);
  });

  it('are at the steps that go on from there', () => {
    expect(all.map(({ step }) => step)).toEqual([0, 1, 6, 15, 19, 19, 19, 21, 31, 31, 46, 60]);
  });

  it('rest until they are read, the last one for 8 s', () => {
    const rests = all.map((frame) => restMs(frame.sentence(RECORDED), frame.pause));
    expect([rests[0], rests[4], rests.at(-1)]).toEqual([5100, 6000, 8000]);
  });

  it('count multiply-adds from the frame on that says so', () => {
    const numbers = all.map((frame) => wordsAt(lastPicture(frame), 'counter number'));
    const counted = { gate: '327\u202f680 of 983\u202f040', upDown: '372\u202f736 of 983\u202f040' };
    expect(numbers).toEqual(['', '', '', '', '', '', '', '', counted.gate, '', counted.upDown, '']);
    const labels = (id: string): readonly string[] =>
      [0, 1, 2].map((i) => wordsAt(lastPicture(frameOf(all, id)), `counter label ${i}`));
    expect(labels('gate in full')).toEqual([
      'gate 327\u202f680, done',
      'up 327\u202f680, to do',
      'down 327\u202f680, to do',
    ]);
    expect(labels('only what fired')).toEqual(['gate 327\u202f680', 'up 22\u202f528', 'down 22\u202f528']);
    expect(wordsAt(frameOf(all, 'gate in full').draw(0, NOWHERE), 'counter number')).toBe('0 of 983\u202f040');
  });

  it('shrink up and down from their own right ends', () => {
    const places = (picture: number): readonly (number | undefined)[] =>
      [1, 2].map((i) => {
        const { marks } = frameOf(all, 'only what fired').draw(picture, NOWHERE);
        return marks.find(({ id }) => id === `counter part ${i}`)?.x;
      });
    expect(places(0)).toEqual(places(6));
  });

  it('ask what happens to a fourth, and how much work is left', () => {
    const asked = all.flatMap(({ question }) => (question ? [question] : []));
    expect(asked.map(({ options, answer, because }) => [options, answer, because.text])).toEqual([
      [
        ['the next tile takes it', 'it is lost, silently', 'the format says no'],
        2,
        'Other tiles belong to other workers, and nothing may be lost. So the format says no.',
      ],
      [
        ['7\u202f%', '38\u202f%', '93\u202f%'],
        1,
        'Gate in full: 33.3 %. Up and down for 11 of 160: 4.6 %. Together 37.9 %.',
      ],
    ]);
  });

  it('draw no answer before it is given', () => {
    const [fourth, work] = all.filter(({ question }) => question);
    const extra = (picture: number) => fourth.draw(picture, NOWHERE).marks.find(({ id }) => id === 'extra');
    expect([extra(0)?.tone, extra(1)?.tone]).toEqual(['neutral', 'danger']);
    expect([wordsAt(work.draw(0, NOWHERE), 'sum'), wordsAt(work.draw(1, NOWHERE), 'sum')]).toEqual([
      '',
      '33.3\u202f% + 4.6\u202f% = 37.9\u202f%: gate, then up and down for 11 of 160',
    ]);
  });

  it('let B wait while A computes, and store before A with cells of its own', () => {
    const waits = frameOf(all, 'who waits');
    const seen = [0, 1, 2, 3].map((picture) => waits.draw(picture, NOWHERE));
    expect(seen.map((drawing) => isDrawn(drawing, 'time B waits'))).toEqual([false, false, true, true]);
    expect(seen.map(({ links = [] }) => links.length)).toEqual([0, 3, 3, 3]);
    expect(wordsAt(seen[3], 'where to')).toBe('three values: where to?');
    expect(wordsAt(seen[3], 'between')).toBe('tile 1 is all 0');
    const idea = frameOf(all, 'cells of its own');
    const values = [0, 1, 2].map((picture) =>
      idea
        .draw(picture, NOWHERE)
        .marks.filter(({ id }) => id.startsWith('value'))
        .map(({ id, text }) => `${id}: ${text ?? ''}`),
    );
    const ofB = ['value 0,2,1: .35', 'value 0,2,2: .46', 'value 0,2,3: .13'];
    expect(values).toEqual([[], ofB, ['value 0,0,1: .41', ...ofB]]);
    expect(isDrawn(lastPicture(idea), 'time B waits')).toBe(false);
  });

  it('store the value, then its neuron, then the count', () => {
    const slowly = frameOf(all, 'one fired');
    const stored = [0, 1, 2, 3].map((picture) =>
      ['value 0,0,1', 'neuron 0,0,1', 'count 0,0'].map((id) => wordsAt(slowly.draw(picture, NOWHERE), id)),
    );
    expect(stored).toEqual([
      ['', '', ''],
      ['0.41', '', ''],
      ['0.41', '6', ''],
      ['0.41', '6', '1'],
    ]);
    const both = frameOf(all, 'empty and full');
    const counts = [0, 1, 2, 3, 4].map((picture) =>
      ['count 0,1', 'count 0,2'].map((id) => wordsAt(both.draw(picture, NOWHERE), id)),
    );
    expect(counts).toEqual([
      ['', ''],
      ['0', ''],
      ['0', ''],
      ['0', ''],
      ['0', '3'],
    ]);
    const hatched = lastPicture(both).marks.filter(({ tone }) => tone === 'padding');
    expect(hatched.map(({ id }) => id)).toEqual(['slot 0,1,1', 'slot 0,1,2', 'slot 0,1,3']);
  });

  it('show all 80 cells as the encoder fills them', () => {
    const drawing = lastPicture(frameOf(all, 'all tiles'));
    const counts = [0, 1, 2, 3, 4].map((row) =>
      [0, 1, 2, 3].map((tile) => wordsAt(drawing, `count ${row},${tile}`)).join(' '),
    );
    expect(counts).toEqual(['1 0 3 0', '0 0 0 1', '0 0 0 3', '0 0 0 1', '1 0 0 1']);
    expect(drawing.marks.filter(({ tone }) => tone === 'padding')).toHaveLength(49);
    expect(drawing.marks.filter(({ id }) => id.startsWith('value'))).toHaveLength(11);
    expect(wordsAt(drawing, 'sum')).toBe('80 cells: 20 counts, 11 values with their neurons, 49 empty.');
    const words = drawing.marks.find(({ id }) => id === 'value 2,3,2');
    expect(words?.about).toEqual(['cell 2,27', 'words[46]']);
    expect(words?.label).toBe('token 2, tile 3: .22 of neuron 27');
  });

  it('open four reads slowly and the others at once', () => {
    const upDown = frameOf(all, 'only what fired');
    const opened = upDown.moves.map(
      (_, picture) => upDown.draw(picture, NOWHERE).marks.filter(({ id }) => id.startsWith('down ')).length,
    );
    expect(opened).toEqual([0, 1, 2, 3, 4, 11, 11]);
    expect(wordsAt(lastPicture(upDown), 'reads')).toContain('11 reads, 149 skipped.');
    expect(wordsAt(lastPicture(upDown), 'token more 2')).toBe('3 of 32');
  });
});

it('are inside of their pictures, words too', () => {
  const wrong = [BOARD, HOT].flatMap((m) =>
    framesOf(m).flatMap((frame) =>
      (['wide', 'narrow'] as const).flatMap((layout) =>
        frame.moves.flatMap((_, picture) =>
          outside(frame.draw(picture, { ...RECORDED, layout })).map(
            (found) => `${frame.id} ${layout} ${picture}: ${found}`,
          ),
        ),
      ),
    ),
  );
  expect(wrong).toEqual([]);
});

describe('the special case', () => {
  it('names a token that is refused, and one way out', () => {
    const all = framesOf(HOT);
    expect(sentence(frameOf(all, 'one too many'))).toBe(
      'Four fired, three fit: TwELL *refuses the matrix* and names the tile.',
    );
    const drawing = lastPicture(frameOf(all, 'one too many'));
    expect(wordsAt(drawing, 'said')).toBe('“token 5, tile 3: 4, more than the 3 that fit”: nothing is stored or lost');
    const way = [0, 1, 2, 3].map((k) => wordsAt(drawing, `neuron way ${k}`));
    expect([wordsAt(drawing, 'way count'), ...way]).toEqual(['4', '25', '27', '28', '31']);
    expect(wordsAt(drawing, 'way cells')).toBe('all four cells hold values: four fit');
    expect(sentence(frameOf(all, 'all tiles'))).toBe(
      'The other *20 tiles* pack at the same time: *11 values* are stored.',
    );
  });

  it.each<[string, Partial<TwellParams>, readonly number[], string]>([
    [
      'a lower compression',
      { layout: 'split', compression: 4 },
      [0, 3, 5],
      'compression 2 instead of 4: three of four cells',
    ],
    ['no setting', { layout: 'split' }, [0, 1, 2, 3, 4], ''],
  ])('has %s as the way out', (_, given, fired, said) => {
    const drawing = lastPicture(frameOf(framesOf(columnsMatrix(16, [fired, [9]]), given), 'one too many'));
    expect(wordsAt(drawing, 'way cells')).toBe(said);
    expect(wordsAt(drawing, 'way said')).toBe(said === '' ? 'No setting has room: keep the token whole.' : '');
  });
});
