import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WORKLOAD } from '../../../test/workload.ts';
import type { Job } from '../job.ts';
import type { Pace } from '../pace.ts';
import type { BenchCase } from './cases.ts';
import { Rounds, type TimedCase, timedCase } from './rounds.ts';
import { FIRST_ROUNDS } from './round-counts.ts';
import { orderOfCases, type CaseRunner, runSchedule } from './schedule.ts';

const workload = { ...WORKLOAD, rounds: 8 };

interface CaseOptions {
  readonly valueType?: string;
  /** whether its encoder searches, which takes long */
  readonly searches?: boolean;
  readonly isEncoded?: boolean;
}

function benchCase(id: string, options: CaseOptions = {}): BenchCase {
  const { valueType = 'f16', searches = false, isEncoded = false } = options;
  return {
    format: { id, title: id, effort: searches ? 100 : 1 } as BenchCase['format'],
    params: { valueType },
    kernels: 'auto',
    encode: () => Promise.reject(new Error('nothing is encoded here')),
    isEncoded: () => isEncoded,
  };
}

const idOf = ({ format, params }: BenchCase): string => `${format.id} ${String(params.valueType)}`;

/**
 * A device on which every sample takes 100 ms. It logs calls, and each round as the names of the kernels timed in it.
 */
class FakeDevice implements CaseRunner {
  readonly log: string[] = [];
  readonly timings = new Map<string, TimedCase>();
  ms = 0;
  failsAtSample = Number.POSITIVE_INFINITY;
  #samples = 0;
  #round = new Set<string>();

  readonly reports: Parameters<Job['report']>[0][] = [];
  readonly job: Job = { report: (progress) => this.reports.push(progress), cancelled: false };
  readonly pace: Pace = { now: () => this.ms, pause: async () => {} };

  #flush(): void {
    if (this.#round.size > 0) this.log.push([...this.#round].toSorted().join('+'));
    this.#round = new Set();
  }

  note(text: string): void {
    this.#flush();
    this.log.push(text);
  }

  async join(bench: BenchCase, next?: BenchCase): Promise<readonly TimedCase[]> {
    const id = idOf(bench);
    this.note(`join ${id}${next ? `, then ${idOf(next)}` : ''}`);
    if (bench.format.id === 'wrong') return [];
    const timing = timedCase(async () => {
      if (this.#round.has(id)) this.#flush();
      this.#round.add(id);
      this.ms += 100;
      if (++this.#samples >= this.failsAtSample) throw new Error('the GPU device was lost');
      return this.samplesNs.get(id)?.shift() ?? 1;
    });
    this.timings.set(id, timing);
    return [timing];
  }

  /** the result of a search for a case: names, separated by commas, the fastest first */
  readonly searchResults = new Map<string, string>();

  async search(bench: BenchCase): Promise<readonly TimedCase[] | null> {
    const id = idOf(bench);
    const names = this.searchResults.get(id);
    if (names === undefined) return null;
    this.note(`search ${id}`);
    const kernels: TimedCase[] = [];
    for (const name of names.split(',')) {
      kernels.push(...(await this.join({ ...bench, format: { ...bench.format, id: name } })));
    }
    if (kernels.length > 1) this.contenders = kernels;
    return kernels;
  }

  /** kernels that the last search found and the rounds have not narrowed down yet */
  contenders: TimedCase[] = [];
  /** whether the rounds separate the kernels, so that slower ones are dropped after 6 rounds; otherwise only at the end */
  areSeparated = true;

  async narrow(isLast: boolean): Promise<readonly TimedCase[]> {
    const isOver = isLast || (this.areSeparated && this.contenders.every(({ samplesNs }) => samplesNs.length >= 6));
    if (!isOver) return [];
    const [, ...slower] = this.contenders;
    this.contenders = [];
    return slower;
  }

  references(): readonly TimedCase[] {
    return [...this.timings].flatMap(([id, timing]) => (id.startsWith('dense') ? [timing] : []));
  }

  async openReferences(): Promise<void> {}

  async verifyAgain(complete: readonly TimedCase[]): Promise<void> {
    const ids = [...this.timings].filter(([, timing]) => complete.includes(timing)).map(([id]) => id);
    this.note(`verify again ${ids.join(', ')}`);
  }

  async publish(waiting: readonly BenchCase[]): Promise<void> {
    this.note(`publish, ${waiting.map(idOf).join(', ') || 'none'} waiting`);
  }

  /** the next samples of a kernel, by its name; 1 where there are none */
  readonly samplesNs = new Map<string, number[]>();
  notes: readonly string[] = [];

  async run(cases: readonly BenchCase[], rounds = 8, endsEarly = false): Promise<void> {
    const options = { reference: 'dense', workload: { ...workload, rounds }, endsEarly };
    const all = new Rounds(options, this.job, this.pace);
    await runSchedule(cases, options, this, all, this.job, this.pace);
    this.notes = all.notes;
  }
}

describe('orderOfCases', () => {
  test('puts encoded cases first, then fast encoders, then slow ones, each behind dense of its value type', () => {
    const order = orderOfCases(
      [
        benchCase('dense'),
        benchCase('dense', { valueType: 'i8' }),
        benchCase('slow', { searches: true }),
        benchCase('fast'),
        benchCase('there', { valueType: 'i8', isEncoded: true }),
        benchCase('found', { searches: true, isEncoded: true }),
      ],
      'dense',
    );
    expect(order.map(idOf)).toEqual(['dense i8', 'there i8', 'dense f16', 'found f16', 'fast f16', 'slow f16']);
  });

  const otherOptions = fc.record({
    valueType: fc.constantFrom('f16', 'i8', 'bf16'),
    searches: fc.boolean(),
    isEncoded: fc.boolean(),
  });
  test('of any cases, puts a reference right before the first case that is compared with it, and slow encoders last', () => {
    const property = fc.property(
      fc.array(otherOptions, { maxLength: 4 }),
      fc.subarray(['f16', 'i8']),
      fc.nat(),
      (options, types, insertPosition) => {
        const otherCases = options.map((option, i) => benchCase(`other ${i}`, option));
        const references = types.map((valueType) => benchCase('dense', { valueType }));
        const order = orderOfCases(
          otherCases.toSpliced(insertPosition % (otherCases.length + 1), 0, ...references),
          'dense',
        );
        const costOf = (item: BenchCase): number => {
          const { searches, isEncoded } = options[otherCases.indexOf(item)];
          return isEncoded ? 0 : searches ? 2 : 1;
        };
        expect(order.filter((item) => !references.includes(item))).toEqual(
          otherCases.toSorted((a, b) => costOf(a) - costOf(b)),
        );
        expect(order).toHaveLength(otherCases.length + references.length);
        for (const reference of references) {
          // A case is compared with the references of its value type, or with all if there are none.
          const first = order.findIndex(
            (item) =>
              otherCases.includes(item) &&
              (item.params.valueType === reference.params.valueType || !types.includes(String(item.params.valueType))),
          );
          const position = order.indexOf(reference);
          if (first >= 0) expect(position).toBeLessThan(first);
          const before = order.slice(0, position).filter((item) => otherCases.includes(item));
          const following = order.slice(position).find((item) => otherCases.includes(item));
          if (first >= 0 && costOf(order[first]) < 2) expect(following).toBe(order[first]);
          else {
            // Without a fast case that is compared with it, it comes between the fast ones and the slow ones.
            expect(before.map(costOf)).not.toContain(2);
            if (following) expect(costOf(following)).toBe(2);
          }
        }
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});

describe('runSchedule', () => {
  test('keeps the rounds of other cases after a search that adds to the reference, or replaces another case', async () => {
    const cases = [benchCase('dense'), benchCase('fast'), benchCase('third')];
    const searches: Readonly<Record<string, (kernels: readonly TimedCase[]) => readonly TimedCase[]>> = {
      dense: (kernels) => [...kernels, timedCase(async () => 1)],
      fast: () => [timedCase(async () => 1)],
    };
    for (const [searchedId, search] of Object.entries(searches)) {
      const device = new FakeDevice();
      device.search = async (bench) => {
        const kernels = [...device.timings].filter(([id]) => id === idOf(bench)).map(([, timing]) => timing);
        return bench.format.id === searchedId ? search(kernels) : null;
      };
      await device.run(cases);
      expect(device.timings.get('third f16')?.rounds, searchedId).toHaveLength(8);
    }
  });

  test('times each format when it has joined, with dense alone, then all of them together', async () => {
    const device = new FakeDevice();
    await device.run([benchCase('dense'), benchCase('a'), benchCase('b')], 4);
    const together = 'a f16+b f16+dense f16';
    expect(device.reports).toEqual([
      ...[0, 1, 2].map((done) => ({ what: 'first rounds of a', done, total: 3 })),
      ...[0, 1, 2].map((done) => ({ what: 'first rounds of b', done, total: 3 })),
      { what: 'rounds', done: 3, total: 4 },
    ]);
    expect(device.log).toEqual([
      'join dense f16, then a f16',
      'join a f16, then b f16',
      ...Array<string>(FIRST_ROUNDS).fill('a f16+dense f16'),
      'publish, b f16 waiting',
      'join b f16',
      ...Array<string>(FIRST_ROUNDS).fill('b f16+dense f16'),
      'publish, none waiting',
      together,
      'verify again dense f16, a f16, b f16',
      'publish, none waiting',
    ]);
  });

  test('measures a kernel after its search, in separate rounds with dense, once all others are complete', async () => {
    const device = new FakeDevice();
    const cases = [benchCase('dense'), benchCase('slow', { searches: true }), benchCase('a'), benchCase('b')];
    await device.run(cases, 4);
    const joined = device.log.indexOf('join slow f16');
    expect(device.log.slice(0, joined)).toContain('join b f16');
    expect(device.log.filter((text) => text.startsWith('verify'))).toEqual([
      'verify again dense f16, a f16, b f16',
      'verify again slow f16',
    ]);
    expect(device.log.indexOf('verify again dense f16, a f16, b f16')).toBeLessThan(joined);
    expect(device.log.slice(joined).filter((text) => text === 'dense f16+slow f16')).toHaveLength(4);
    const [dense, a, slow] = ['dense f16', 'a f16', 'slow f16'].map((id) => device.timings.get(id)?.rounds ?? []);
    expect(a).toHaveLength(4);
    expect(slow).toEqual([7, 8, 9, 10]);
    expect(dense).toEqual(Array.from({ length: 11 }, (_, round) => round));
    expect(a.some((round) => slow.includes(round))).toBe(false);
  });

  test('does not wait to encode a slow format if there is only one other besides dense', async () => {
    const device = new FakeDevice();
    await device.run([benchCase('dense'), benchCase('slow', { searches: true }), benchCase('a')], 4);
    expect(device.log.slice(0, 8)).toEqual([
      'join dense f16, then a f16',
      'join a f16, then slow f16',
      ...Array<string>(FIRST_ROUNDS).fill('a f16+dense f16'),
      'publish, slow f16 waiting',
      'join slow f16',
      'dense f16+slow f16',
    ]);
  });

  test('publishes a kernel with its initial settings, and times it anew with the settings that the search finds', async () => {
    const device = new FakeDevice();
    device.searchResults.set('a f16', 'tuned');
    await device.run([benchCase('dense'), benchCase('a')], 4);
    expect(device.log).toEqual([
      'join dense f16, then a f16',
      'join a f16',
      ...Array<string>(FIRST_ROUNDS).fill('a f16+dense f16'),
      'publish, none waiting',
      'search a f16',
      'join tuned f16',
      ...Array<string>(FIRST_ROUNDS).fill('dense f16+tuned f16'),
      'publish, none waiting',
      'dense f16+tuned f16',
      'verify again dense f16, tuned f16',
      'publish, none waiting',
    ]);
  });

  test.each([
    ['as long as it may be the fastest', true, 6],
    ['to the end, after which one stays', false, 9],
  ])('times each kernel that a search finds %s', async (_when, areSeparated, rounds) => {
    const device = new FakeDevice();
    device.areSeparated = areSeparated;
    device.searchResults.set('a f16', 'fast,slow');
    await device.run([benchCase('dense'), benchCase('a')], 9);
    const counts = ['fast f16', 'slow f16'].map((id) => device.timings.get(id)?.rounds.length);
    expect(counts).toEqual([9, rounds]);
    expect(device.log.at(-2)).toBe('verify again dense f16, fast f16');
  });

  test('times all cases again with the dense kernel that a search found, in the full number of rounds', async () => {
    const device = new FakeDevice();
    device.searchResults.set('dense f16', 'dense tuned');
    await device.run([benchCase('dense'), benchCase('a')], 4);
    const [tuned, a] = ['dense tuned f16', 'a f16'].map((id) => device.timings.get(id)?.rounds ?? []);
    expect(tuned).toEqual([3, 4, 5, 6]);
    expect(a).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('reports about once a second, and at its end', async () => {
    const device = new FakeDevice();
    await device.run([benchCase('dense'), benchCase('a')], 14);
    const publications = device.log.filter((text) => text.startsWith('publish')).length;
    // a has joined; eleven rounds of 200 ms remain; every fifth ends a second.
    expect(publications).toBe(1 + 2 + 1);
  });

  test('reports, when the device is lost, the complete rounds that it has not reported yet, once', async () => {
    const device = new FakeDevice();
    const cases = [benchCase('dense'), benchCase('a'), benchCase('b')];
    // a with dense takes 3 rounds, b with dense the first of its 3, and half of the second.
    device.failsAtSample = 3 * 2 + 2 + 2;
    await expect(device.run(cases)).rejects.toThrow('the GPU device was lost');
    expect(device.timings.get('b f16')?.rounds).toEqual([3]);
    expect(device.log.filter((text) => text.startsWith('publish'))).toEqual([
      'publish, b f16 waiting',
      'publish, none waiting',
    ]);
    const secondDevice = new FakeDevice();
    secondDevice.failsAtSample = 3 * 2 + 1;
    await expect(secondDevice.run(cases)).rejects.toThrow('the GPU device was lost');
    expect(secondDevice.log.filter((text) => text.startsWith('publish'))).toEqual(['publish, b f16 waiting']);
  });

  test('ends its rounds once the range of every median is within 1 %, if that is allowed, and notes it', async () => {
    const roundsOf = async (endsEarly: boolean, noisySamples: number): Promise<FakeDevice> => {
      const device = new FakeDevice();
      // The first samples all differ; those after them are equal.
      device.samplesNs.set(
        'a f16',
        Array.from({ length: noisySamples }, (_, i) => 2 + i),
      );
      await device.run([benchCase('dense'), benchCase('a'), benchCase('b')], 24, endsEarly);
      return device;
    };
    const counts = ({ timings }: FakeDevice) =>
      ['dense f16', 'a f16', 'b f16'].map((id) => timings.get(id)?.rounds.length);
    const fullRun = await roundsOf(false, 0);
    expect([counts(fullRun), fullRun.notes]).toEqual([[27, 24, 24], []]);
    const quietRun = await roundsOf(true, 0);
    expect(counts(quietRun)).toEqual([12, 9, 9]);
    expect(quietRun.notes).toEqual([
      'rounds ended after 9 of at most 24: the 95 % range of each median was within 1 %',
    ]);
    expect(quietRun.log.slice(-2)).toEqual(['verify again dense f16, a f16, b f16', 'publish, none waiting']);
    // With four samples of `a` far off, its median is precise after 18 rounds; until then the other kernels go on as well.
    expect(counts(await roundsOf(true, 4))).toEqual([21, 18, 18]);
    const noisyRun = await roundsOf(true, 24);
    expect([counts(noisyRun), noisyRun.notes]).toEqual([[27, 24, 24], []]);
  });

  test('times a reference alone if there is nothing else, also after a search', async () => {
    const device = new FakeDevice();
    device.searchResults.set('dense f16', 'dense tuned');
    device.references = () => [];
    await device.run([benchCase('dense')], 4);
    expect(device.log).toEqual([
      'join dense f16',
      ...Array<string>(FIRST_ROUNDS).fill('dense f16'),
      'publish, none waiting',
      'search dense f16',
      'join dense tuned f16',
      ...Array<string>(FIRST_ROUNDS).fill('dense tuned f16'),
      'publish, none waiting',
      'dense tuned f16',
      'verify again dense tuned f16',
      'publish, none waiting',
    ]);
  });

  test.each([
    [[3], 0],
    [[5, 1], 2],
    [[2, 0], 3],
  ])(
    'times only the missing first rounds of kernels that continue with %s samples of an earlier session: %s',
    async (sampleCounts, expected) => {
      const device = new FakeDevice();
      device.join = async () =>
        sampleCounts.map((count) => timedCase(async () => 1, { samplesNs: Array<number>(count).fill(1) }));
      await device.run([benchCase('a')]);
      expect(device.reports.filter(({ what }) => what === 'first rounds of a')).toHaveLength(expected);
    },
  );

  test('does not time a kernel any more that was dropped in its first rounds', async () => {
    const device = new FakeDevice();
    const [fast, slow] = [timedCase(async () => 1), timedCase(async () => 2)];
    device.join = async () => [fast, slow];
    device.narrow = async () => [slow];
    await device.run([benchCase('a')], 5);
    expect([fast.rounds, slow.rounds]).toEqual([[0, 1, 2, 3, 4], [0]]);
    expect(device.reports.map(({ what }) => what)).toEqual([
      ...Array<string>(3).fill('first rounds of a'),
      'rounds',
      'rounds',
    ]);
  });

  test('works with a runner without `search` and `narrow`, and with cases without `isEncoded`', async () => {
    const device = new FakeDevice();
    Object.assign(device, { search: undefined, narrow: undefined });
    const cases = [benchCase('slow', { searches: true }), benchCase('dense'), benchCase('a')];
    const withoutIsEncoded = (item: BenchCase) =>
      Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'isEncoded')) as unknown as BenchCase;
    await device.run(cases.map(withoutIsEncoded), 4);
    expect(device.log.at(-2)).toBe('verify again dense f16, a f16, slow f16');
  });

  test('reports nothing of a run that breaks off before its first round, or has no cases', async () => {
    const device = new FakeDevice();
    await device.run([]);
    device.join = () => Promise.reject(new Error('the GPU device was lost'));
    await expect(device.run([benchCase('a')])).rejects.toThrow('the GPU device was lost');
    expect(device.log).toEqual([]);
  });

  test('times nothing when no kernel is right', async () => {
    const device = new FakeDevice();
    await device.run([benchCase('wrong')]);
    expect(device.log).toEqual(['join wrong f16', 'publish, none waiting']);
  });
});
