import { declaredOf, encodingOf, paramsOf } from '../../src/own/answers.ts';
import {
  askDescription,
  choose,
  type Chosen,
  decoded,
  encoded,
  givesBack,
  type Runners,
} from '../../src/own/asking.ts';
import { CASES, fromRows } from '../../src/own/cases.ts';
import { defaultParams } from '../../src/core/format.ts';
import { CsrMatrix } from '../../src/core/matrix/index.ts';
import { Random } from '../../src/core/number/random.ts';
import { narrationText } from '../../src/core/story/scene.ts';
import { baselineFormat } from '../../src/formats/registry.ts';
import { sent } from '../../src/own/decoded.ts';
import { tryLaws } from '../../src/own/laws.ts';
import type { OwnParams } from '../../src/own/messages.ts';
import { Sandbox, type SandboxOptions } from '../../src/own/sandbox/sandbox.ts';
import { OwnSession } from '../../src/own/session.ts';
import { STARTERS } from '../../src/own/starters.ts';
import { runtime } from 'virtual:own-runtime';

/** What the tests of the sandbox do in the page, which the page does not do yet. */

/** A random matrix with about `density` non-zeros. */
function uniform(rows: number, cols: number, density: number): CsrMatrix {
  const random = new Random(1);
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) if (random.uniform() < density) indices.push(c);
    indptr[r + 1] = indices.length;
  }
  const data = Float32Array.from(indices, () => 0.1 + random.uniform());
  return new CsrMatrix({ rows, cols, indptr, indices: Uint32Array.from(indices), data });
}

let sandbox: Sandbox | null = null;
const opened = (): Sandbox => (sandbox ??= new Sandbox({ address: './sandbox.html', runtime }));

const words = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** A module with its first parameters. */
async function chosenOf(runners: Runners, given: OwnParams = {}): Promise<Chosen> {
  const description = await askDescription(runners);
  if (description.kind !== 'done') throw new Error(JSON.stringify(description));
  const chosen = await choose(runners, description.result, paramsOf(description.result, given));
  if (chosen.kind !== 'done') throw new Error(JSON.stringify(chosen));
  return chosen.result;
}

const MATRIX = fromRows(
  [
    [
      [0, 1],
      [2, 2],
    ],
    [[1, 3]],
  ],
  3,
);

export const client = {
  starters: STARTERS,
  close: () => sandbox?.close(),

  /** What a module says of itself. */
  async title(text: string, options?: SandboxOptions): Promise<string> {
    const runners = opened().evaluate(text, options);
    try {
      return JSON.stringify(await askDescription(runners));
    } catch (error) {
      return words(error);
    } finally {
      runners.end();
    }
  },

  /** The whole way of a matrix of 2 × 3: encoded, recorded, decoded, compared. */
  async way(text: string, options?: SandboxOptions): Promise<string> {
    const runners = opened().evaluate(text, options);
    try {
      const chosen = await chosenOf(runners);
      const made = await encoded(runners.encoder, chosen, MATRIX, 'lines');
      if (made.kind !== 'done') return JSON.stringify(made);
      const back = await decoded(runners.decoder, chosen, made.result, MATRIX, true);
      if (back.kind !== 'done') return JSON.stringify(back);
      return `gives ${JSON.stringify(givesBack(MATRIX, chosen, back.result) ?? 'it back')}`;
    } catch (error) {
      return words(error);
    } finally {
      runners.end();
    }
  },

  /** All laws: what is broken, and how long it took. */
  async laws(text: string): Promise<{ readonly laws: string; readonly ms: number; readonly longest: number }> {
    const runners = opened().evaluate(text);
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ type: 'longtask' });
    try {
      const chosen = await chosenOf(runners);
      const before = performance.now();
      const { laws } = await tryLaws(runners, chosen, { now: () => performance.now(), cases: CASES });
      const all = laws.map(({ id, held, tried, broken }) =>
        broken ? `${id}: ${broken.why}` : `${id} ${held === tried}`,
      );
      const ms = performance.now() - before;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { laws: all.join(', '), ms, longest };
    } catch (error) {
      return { laws: words(error), ms: 0, longest };
    } finally {
      observer.disconnect();
      runners.end();
    }
  },

  /** How long it takes from a text to the first picture of its story on 64 × 64, by try. */
  async picture(text: string): Promise<{ readonly said: string; readonly ms: readonly number[] }> {
    const session = new OwnSession((typed) => opened().evaluate(typed));
    const window = uniform(64, 64, 0.3);
    const ms: number[] = [];
    let said = '';
    for (let i = 0; i < 5; i++) {
      const before = performance.now();
      const found = await session.open('timed', `${text}\n// ${i}`);
      if (found?.kind !== 'done') return { said: JSON.stringify(found), ms };
      const { format } = found.result;
      await found.result.ask(window, {}, true);
      const story = await format.story();
      const trace = story.trace(window, {});
      said = narrationText(story.scene(trace, 1));
      ms.push(Math.round(performance.now() - before));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    session.close();
    return { said, ms };
  },

  /**
   * How long it takes to encode a large matrix, there and back, without its decoding: copied, answered and checked; and our
   * own encoder here.
   */
  async large(
    text: string,
    size: number,
  ): Promise<{ readonly said: string; readonly ms: readonly string[]; readonly ours: readonly number[] }> {
    const runners = opened().evaluate(text);
    const chosen = await chosenOf(runners);
    const matrix = uniform(size, size, 0.5);
    const ms: string[] = [];
    const ours: number[] = [];
    let said = '';
    for (let i = 0; i < 3; i++) {
      const begun = performance.now();
      baselineFormat.encode(matrix, defaultParams(baselineFormat.params));
      const before = performance.now();
      ours.push(Math.round(before - begun));
      const request = { ask: 'encode', matrix: sent(matrix), params: {}, arrays: declaredOf(chosen.arrays) } as const;
      const copied = performance.now();
      const answer = await runners.encoder.ask({ ...request, recorded: 'nothing' });
      const answered = performance.now();
      const made = encodingOf(answer, chosen.arrays, matrix);
      const parts = [copied - before, answered - copied, performance.now() - answered].map(Math.round);
      ms.push(`${Math.round(performance.now() - before)} (${parts.join(' + ')})`);
      said = made.kind === 'done' ? String(made.result.arrays[0].elements.length === matrix.nnz) : JSON.stringify(made);
    }
    runners.end();
    return { said, ms, ours };
  },

  /** Runs a module until it has been asked about, ends it, and says how long that took. */
  async cancel(text: string, limitMs = 300): Promise<{ readonly said: string; readonly ms: number }> {
    let asked = (): void => {};
    const isLong = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const runners = opened().evaluate(text, { onLong: () => asked(), limitMs });
    const answer = askDescription(runners).then(JSON.stringify, words);
    await isLong;
    const before = performance.now();
    runners.end();
    const said = await answer;
    return { said, ms: performance.now() - before };
  },

  /**
   * Whether a module that loops is heard by the next one of its frame while it runs, and after it was ended: workers of one
   * frame share an origin, and with it channels.
   */
  async heard(): Promise<string> {
    const loop = `const c = new BroadcastChannel('x'); let t = 0;
      for (;;) if (performance.now() > t + 20) { t = performance.now(); c.postMessage(1); }`;
    const listen = `let n = 0; new BroadcastChannel('x').onmessage = () => n++;
      await new Promise((y) => setTimeout(y, 300)); export const title = n > 0 ? 'heard' : 'silent';`;
    const heard = async (): Promise<string> => /heard|silent/.exec(await client.title(listen))?.[0] ?? 'no answer';
    const running = client.cancel(loop, 3000);
    let during = await heard();
    // Its worker may begin after the first that listens.
    for (let i = 0; i < 5 && during === 'silent'; i++) during = await heard();
    await running;
    // A browser may give a worker a moment to end by itself; Chromium gives it two seconds.
    let after = await heard();
    for (const began = performance.now(); after !== 'silent' && performance.now() < began + 10_000;)
      after = await heard();
    return `${during} while it runs, ${after} afterwards`;
  },
};
