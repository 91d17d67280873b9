import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { Random } from '../src/core/number/random.ts';
import type { BenchReport } from '../src/core/report.ts';
import { LayerBars } from '../src/places/compare/folds/layers/LayersFold.tsx';
import { LeftOut, ModelFacts } from '../src/places/compare/folds/layers/ModelFacts.tsx';
import { modelView, type ModelView } from '../src/places/compare/model/model-view.ts';
import { modelColumns, matrixColumns } from '../src/places/compare/rows/Columns.tsx';
import type { Compared, CompareRow } from '../src/places/compare/rows/compare-row.ts';
import type { Way } from '../src/places/compare/rows/ways.ts';
import type { Device } from '../src/state/devices/device.ts';
import { KNOWN_MODELS, type ModelShape } from '../src/theory/models/model-shape.ts';
import { shownText, markupOf } from './markup.ts';
import {
  bytesOf,
  CSR,
  DENSE,
  F16,
  isOfShape,
  matricesOf,
  type Met,
  recorded,
  sizeOf,
  timeIn,
  way,
} from './model-questions.ts';
import { bytes, type Facts, ns, number, percent, Read, times } from './sentences.ts';

/*
 * The law for sentences, for a model of which some shapes were timed and others not, and for its table shape by shape: what is
 * measured, what follows from bytes, and what from empty dispatches is computed here from the recording and from sizes.
 */

// Those whose every matrix a token meets: sums of bytes and times are then over all of them.
const MODELS = KNOWN_MODELS.filter(({ gated, positions, experts }) => gated && positions === 0 && !experts);
const roofs = recorded.roofs ?? { readGBps: 1, dispatchNs: 0, peakGMAps: {} };

/** The recorded device, and the same without the reports of some shapes, by chance. */
function devicesFor(random: Random): readonly Device[] {
  const shapes = [...new Set(recorded.reports.map(({ workload }) => `${workload.rows} ${workload.cols}`))];
  return [0, 0.3, 0.6].map((gone): Device => {
    const without = new Set(shapes.filter(() => random.uniform() < gone));
    const reports = recorded.reports.filter(({ workload }) => !without.has(`${workload.rows} ${workload.cols}`));
    return { ...recorded, reports };
  });
}

/** A shape of the model, all its matrices together. */
interface Shape {
  readonly met: Met;
  readonly isHead: boolean;
  readonly denseBytes: number;
  readonly storedBytes: number;
  /** of a matrix; null where it was not timed */
  readonly denseNs: number | null;
  readonly storedNs: number | null;
}

/** The shapes of a model in the order in which a token meets them, with what the reports have of each. */
function shapesOf(
  model: ModelShape,
  one: Way,
  left: number,
  reports: readonly BenchReport[],
  isAble: boolean,
): readonly Shape[] {
  const { blocks, head } = matricesOf(model);
  const found: { met: Met; isHead: boolean }[] = [];
  for (const [rows, cols, count] of blocks) {
    const at = found.findIndex(({ met }) => met[0] === rows && met[1] === cols);
    if (at < 0) found.push({ met: [rows, cols, count], isHead: false });
    else found[at] = { met: [rows, cols, found[at].met[2] + count], isHead: false };
  }
  const { id } = one.format;
  const { params } = one.stored;
  return [...found, { met: head, isHead: true }].map(({ met, isHead }): Shape => {
    const its = reports.filter(isOfShape(met));
    const near = its.filter(({ workload }) => Math.abs(workload.density - left) < 0.004 * left);
    const isTried = (report: BenchReport): boolean =>
      timeIn(report, id, params) !== null || report.refused.some(({ format }) => format === id);
    const denseAlone = isHead || !isAble;
    const from = denseAlone
      ? its.find((report) => timeIn(report, 'dense', DENSE) !== null)
      : (near.find(isTried) ?? near.find((report) => timeIn(report, 'dense', DENSE) !== null));
    const denseNs = from ? timeIn(from, 'dense', DENSE) : null;
    const denseBytes = 2 * met[0] * met[1];
    return {
      met,
      isHead,
      denseBytes,
      storedBytes: isHead ? denseBytes : (bytesOf(one, left, met) ?? 0),
      denseNs,
      storedNs: isHead ? denseNs : from && isAble ? timeIn(from, id, params) : null,
    };
  });
}

const boundOf = (size: number): number => Math.max(size / roofs.readGBps, roofs.dispatchNs);
const sum = (shapes: readonly Shape[], of: (shape: Shape) => number): number =>
  shapes.reduce((all, shape) => all + of(shape) * shape.met[2], 0);

interface Case {
  readonly view: ModelView;
  readonly shapes: readonly Shape[];
  readonly one: Way;
  readonly left: number;
  readonly where: string;
}

/** Models in several ways with several shares left, on the device and where it lacks times. */
function* cases(): Generator<Case> {
  const random = new Random(11);
  for (const model of MODELS) {
    for (const [one, left, isAble] of [
      [way('macko'), 0.5, true],
      [CSR, 0.3, true],
      [way('macko'), 0.3, false],
    ] as const) {
      for (const { reports, name } of devicesFor(random)) {
        const { format, stored } = one;
        const wanted = {
          operation: 'spmv',
          tokens: 1,
          stored,
          dense: F16.stored,
          able: isAble,
          device: name,
          density: left,
        };
        const reads = { GBps: roofs.readGBps, dispatchNs: roofs.dispatchNs, from: 'measured' as const, device: name };
        const storage = { format, params: stored.params, fusion: 'separate' as const, keepHead: true, density: left };
        const view = modelView(model, storage, reports, wanted, reads);
        if (!view) throw new Error('found no view');
        const shapes = shapesOf(model, one, left, reports, isAble);
        yield { view, shapes, one, left, where: `${model.name}, ${one.key}, ${left}, ${reports.length} reports` };
      }
    }
  }
}

const isByDispatch = (shapes: readonly Shape[]): boolean =>
  shapes.some(({ storedBytes }) => storedBytes / roofs.readGBps < roofs.dispatchNs);

/** The cells of a row; what stands beside each other in one has a space between. */
function cellsIn(row: string): readonly string[] {
  return [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) =>
    cell
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
  );
}

describe('a model of which some shapes were timed', () => {
  it('knows how many, and what all take with the bytes or dispatches of the others', () => {
    const counts = new Set<string>();
    for (const { view, shapes, where } of cases()) {
      const both = shapes.filter(({ denseNs, storedNs }) => denseNs !== null && storedNs !== null);
      expect(view.measuredShapes, where).toBe(both.length);
      expect(view.isByDispatch, where).toBe(isByDispatch(shapes));
      const isAll = both.length === shapes.length;
      const stored = sum(shapes, (shape) => shape.storedNs ?? boundOf(shape.storedBytes));
      const dense = sum(shapes, (shape) => shape.denseNs ?? boundOf(shape.denseBytes));
      expect(view.stored?.ns, where).toBeCloseTo(stored, 0);
      expect(view.dense?.ns, where).toBeCloseTo(dense, 0);
      expect([view.stored?.from, view.dense?.from].includes('bytes'), where).toBe(!isAll);
      counts.add(isAll ? 'all' : both.length > 0 ? 'some' : 'none');
    }
    expect(counts.has('all') && counts.has('some')).toBe(true);
  });

  it('has the bytes, the times and the ratio of every shape in a table', () => {
    const read = new Read();
    for (const { view, shapes, one, where } of cases()) {
      const title = one.format.title;
      const markup = markupOf(createElement(LayerBars, { view, format: one.format, title }));
      const [head, ...lines] = markup.split('</tr>').map(cellsIn);
      const limit = `line: limit by bytes${isByDispatch(shapes) ? ' and dispatches' : ''}`;
      const hasTick = shapes.some(({ isHead, storedNs }) => !isHead && storedNs !== null);
      const said = /line: limit by bytes(?: and dispatches)?/.exec(head.join(' '))?.[0];
      expect(said, where).toBe(hasTick ? limit : undefined);
      expect(head).toContain('time, per matrix');
      expect(lines.filter((line) => line.length > 0)).toHaveLength(shapes.length);
      for (const [i, shape] of shapes.entries()) {
        const { isHead, denseBytes, storedBytes, denseNs, storedNs } = shape;
        const [rows, cols, count] = shape.met;
        const [name, size, bars, taken, ratio] = lines[i];
        const its = `${where}, ${rows} x ${cols}`;
        const facts: Facts = {
          rows: number(rows),
          cols: number(cols),
          count: number(count),
          dense: bytes(denseBytes),
          stored: bytes(storedBytes),
          denseNs: ns(denseNs ?? boundOf(denseBytes)),
          storedNs: ns(storedNs ?? boundOf(storedBytes)),
          allDense: ns(count * (denseNs ?? boundOf(denseBytes))),
          allStored: ns(count * (storedNs ?? boundOf(storedBytes))),
          ratio: times((denseNs ?? boundOf(denseBytes)) / (storedNs ?? boundOf(storedBytes))),
        };
        const about = (time: number | null): string => (time === null ? '≈ ' : '');
        read.sentence(name.replace(/^.*?(?=\d)/, ''), '{rows} × {cols} · {count}×', facts, its);
        read.sentence(size, isHead ? '{dense}' : '{dense} {stored}', facts, its);
        read.sentence(
          bars.replace(/ (?:kept dense|no kernel for this many tokens|[\w-]+: found .*)$/, ''),
          isHead ? `${about(denseNs)}{allDense}` : `${about(denseNs)}{allDense} ${about(storedNs)}{allStored}`,
          facts,
          its,
        );
        read.sentence(
          taken,
          isHead ? `${about(denseNs)}{denseNs}` : `${about(denseNs)}{denseNs} ${about(storedNs)}{storedNs}`,
          facts,
          its,
        );
        const isComparable = (denseNs === null) === (storedNs === null);
        if (isHead) expect(ratio).toBe('1×');
        else if (!isComparable) expect(ratio ?? '').toBe('');
        else read.sentence(ratio, `${about(denseNs)}{ratio}×`, facts, its);
      }
    }
    expect(read.met('{ratio}×')).toBeGreaterThan(20);
  });

  it('says of a prompt whether all, some or none of its shapes were measured', () => {
    const prompts = recorded.reports.map((report): BenchReport => ({
      ...report,
      workload: { ...report.workload, operation: 'gemm', sizes: { tokens: 16 } },
    }));
    const [model] = MODELS;
    const { format, stored } = way('macko');
    const found = new Set<string>();
    for (const without of [0, 1, 2, 9]) {
      const shapes = shapesOf(model, way('macko'), 0.5, recorded.reports, true);
      const gone = shapes.slice(0, without).map(({ met }) => `${met[0]} ${met[1]}`);
      const reports = prompts.filter(({ workload }) => !gone.includes(`${workload.rows} ${workload.cols}`));
      const storage = { format, params: stored.params, fusion: 'separate' as const, keepHead: true, density: 0.5 };
      const wanted = { operation: 'gemm', tokens: 16, stored, dense: F16.stored, able: true, device: '', density: 0.5 };
      const view = modelView(model, storage, reports, wanted, null);
      if (!view) throw new Error('found no view');
      const left = shapes.slice(without).filter(({ denseNs, storedNs }) => denseNs !== null && storedNs !== null);
      const head = cellsIn(markupOf(createElement(LayerBars, { view, format, title: format.title })).split('</tr>')[0]);
      const isAll = left.length === shapes.length;
      const said = isAll ? 'time, per matrix' : left.length > 0 ? 'not all measured' : 'not measured';
      expect(head[3], `without ${without}`).toBe(said);
      found.add(said);
    }
    expect(found.size).toBe(3);
  });

  it('has its cost in figures', () => {
    const read = new Read();
    for (const { view, shapes, one, where } of cases()) {
      const title = one.format.title;
      const markup = markupOf(createElement(ModelFacts, { view, title }));
      const facts = new Map(
        [...markup.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]),
      );
      const limit = sum(shapes, (shape) => boundOf(shape.storedBytes));
      const isMeasured = shapes.every(({ storedNs }) => storedNs !== null);
      const name = `limit by bytes${isByDispatch(shapes) ? ' and dispatches' : ''}`;
      if (isMeasured) read.sentence(facts.get(name) ?? 'none', '{limit}', { limit: ns(limit) }, where);
      expect(facts.has(name)).toBe(isMeasured);
      const stored = sum(shapes, (shape) => shape.storedNs ?? boundOf(shape.storedBytes));
      const about = isMeasured ? '' : '≈ ';
      read.sentence(facts.get(`time, ${title}`) ?? 'none', `${about}{time}`, { time: ns(stored) }, where);
      const weights = sizeOf(view.model, F16, 1) / 2;
      const [unit, text] = weights >= 1e9 ? [1e9, 'billions'] : [1e6, 'millions'];
      const said = (facts.get('weights') ?? '').replace(/ × 10.$/, '');
      read.sentence(said, '{weights}', { weights: number(weights / unit) }, `${where}, ${text}`);
    }
    expect(read.met('{limit}')).toBeGreaterThan(2);
  });
});

it('the cache of a model has the bytes of its keys and values', () => {
  const read = new Read();
  for (const model of KNOWN_MODELS) {
    const [line] = shownText(createElement(LeftOut, { model })).split('\n');
    const { latent } = model;
    const perToken = 2 * model.layers * (latent ? latent.kv + latent.rope : 2 * model.kvHeads * model.headDim);
    const context = model.positions > 0 ? Math.min(4096, model.positions) : 4096;
    read.sentence(
      line.replace(' in f16', ' in half'),
      'attention and the KV cache: {cache} per token in half, {all} at {context}',
      {
        cache: { ...bytes(perToken), digits: 2 },
        all: { ...bytes(perToken * context), digits: 2 },
        context: number(context),
      },
      model.name,
    );
  }
});

describe('the table of Compare', () => {
  /** The cells of a row, by their columns; times as they are shown. */
  const cells = (compared: Partial<Compared>, row: Partial<CompareRow>): ReadonlyMap<string, string> => {
    const all = {
      shown: { device: recorded },
      tokens: 1,
      f16Bytes: 1,
      model: null,
      ...compared,
    } as unknown as Compared;
    const columns = all.level === 'model' ? modelColumns(all, null, [8, 16, 24, 80]) : matrixColumns(all, null);
    const whole = {
      format: F16.format,
      detail: '',
      figures: null,
      state: 'known',
      wholeNs: null,
      ...row,
    } as CompareRow;
    return new Map(
      columns
        .filter(({ id }) => !['why', 'needs'].includes(id))
        .map(({ id, cell }) => {
          const element = createElement('p', null, cell(whole));
          // Which cards hold it is a picture, with a name.
          return [id, /aria-label="([^"]*)"/.exec(markupOf(element))?.[1] ?? shownText(element)];
        }),
    );
  };

  it('has the bytes, the shares and the times of its rows', () => {
    const read = new Read();
    const random = new Random(23);
    for (let i = 0; i < 400; i++) {
      const level = i % 2 === 0 ? 'matrix' : 'model';
      const tokens = i % 3 === 0 && level === 'model' ? 16 : 1;
      const [total, f16Bytes] = [1, 1].map(() => Math.round(10 ** (2 + 9 * random.uniform())));
      const measuredNs = random.below(4) === 0 ? null : 10 ** (3 + 5 * random.uniform());
      const atMostNs = tokens > 1 ? null : (measuredNs ?? 1e5) * (0.05 + random.uniform());
      const isExpected = random.below(2) === 0;
      const sameAsI4 = [undefined, null, random.uniform()][random.below(3)];
      const row = { bytes: total, measuredNs, atMostNs, isExpected, ...(sameAsI4 !== undefined && { sameAsI4 }) };
      const contextBytes = Math.round(1e10 * random.uniform());
      const model = { contextBytes, shape: MODELS[0] } as Compared['model'];
      // Of weights that stand in for others, a line below says that sizes are computed.
      const isStandIn = random.below(2) === 0;
      const summary = (isStandIn ? { sampledRows: 64 } : {}) as Compared['summary'];
      // The rows of a table have one unit.
      const rows = [
        { ...row, state: 'known' },
        { bytes: random.below(2) === 0 ? f16Bytes : null, state: 'known', atMostNs: i % 8 === 0 ? atMostNs : 2e3 },
      ] as unknown as Compared['rows'];
      const isLong = rows.some(({ bytes: stored }) => stored !== null && stored >= 1e7);
      const shown = cells({ level, tokens, f16Bytes, model, summary, rows }, row);
      const where = JSON.stringify({ level, tokens, ...row });
      const cell = (id: string, rule: string, facts: Facts): void =>
        read.sentence(shown.get(id) ?? '', rule, facts, `${where}, ${id}`);
      if (level === 'matrix') {
        const about = isExpected && !isStandIn ? '≈ ' : '';
        cell('bytes', `${about}{bytes}`, { bytes: isLong ? bytes(total) : number(total) });
        const share = total / f16Bytes;
        if (share >= 0.005) cell('share', '{share}', { share: { ...percent(share), digits: 1 } });
        const bounds = new Set(rows.flatMap(({ state, atMostNs: bound }) => (state === 'known' ? [bound] : [])));
        if (measuredNs !== null) cell('measured', '{time}', { time: ns(measuredNs) });
        // What is the least time of all rows is nothing of theirs.
        else if (bounds.size === 1) expect(shown.get('measured'), where).toBe('\u2013');
        else {
          cell('measured', (atMostNs ?? 0) < 1000 ? '< {floor}' : 'at least {time}', {
            time: ns(atMostNs ?? 0),
            floor: ns(1000),
          });
        }
      } else {
        cell('bytes', '{bytes}', { bytes: total < 1e8 ? bytes(total) : number(total / 1e9) });
        const fitting = [8, 16, 24, 80].filter((card) => total + contextBytes < 1e9 * card);
        expect(shown.get('fits'), where).toBe(fitting.length === 0 ? 'none of them' : `${fitting.join(', ')} GB`);
        if (atMostNs === null) expect(shown.get('atMost')).toBe('–');
        else cell('atMost', '{rate}', { rate: number(1e9 / atMostNs) });
        if (measuredNs !== null) {
          const rate = number((tokens * 1e9) / measuredNs);
          const of = (atMostNs ?? 0) / measuredNs;
          const rule = atMostNs === null ? '{rate}' : '{rate} {share}';
          cell('measured', rule, { rate, share: { ...percent(of), digits: 1 } });
        }
        if (sameAsI4 === undefined) expect(shown.get('same')).toBe('–');
        else if (sameAsI4 === null) expect(shown.get('same')).toBe('never');
        else if (sameAsI4 >= 0.005) cell('same', '{share}', { share: { ...percent(sameAsI4), digits: 1 } });
      }
      if (measuredNs === null && level === 'model') expect(shown.get('measured')).toBe('–');
    }
    expect(read.met('{rate} {share}')).toBeGreaterThan(20);
  });

  it('says of whole tokens how many the matrices alone would allow', () => {
    const read = new Read();
    const random = new Random(29);
    for (let i = 0; i < 50; i++) {
      const matrices = 1e5 + 1e7 * random.uniform();
      const whole = matrices * (1 + random.uniform());
      const shown = cells({ level: 'model' }, { bytes: 1, partNs: matrices, atMostNs: null, wholeNs: whole });
      read.sentence(
        shown.get('measured') ?? '',
        '{whole} whole; matrices {matrices}, {less} less',
        { whole: number(1e9 / whole), matrices: number(1e9 / matrices), less: ns(whole - matrices) },
        `${whole}, ${matrices}`,
      );
    }
  });
});
