// The script that the tests of the sandbox add to the page: it runs modules in the sandbox, and reports the results as
// text.

import { arrayDeclarations, parseEncoding, paramsOf } from '../../own/parse-answers.ts';
import {
  requestDescription,
  requestSetup,
  type ModuleSetup,
  requestDecoding,
  requestEncoding,
  decodingDifference,
  type Runners,
} from '../../own/module-requests.ts';
import { LAW_CASES, fromRows } from '../../own/law-cases.ts';
import { defaultParams } from '../../../../src/core/format.ts';
import { CsrMatrix } from '../../../../src/core/matrix/index.ts';
import { Random } from '../../../../src/core/number/random.ts';
import { narrationText } from '../../../../src/story/scene.ts';
import { baselineFormat } from '../../../../src/formats/registry.ts';
import { matrixMessage } from '../../own/decoded-matrix.ts';
import { testLaws } from '../../own/laws.ts';
import type { UserParams } from '../../own/module-messages.ts';
import { Sandbox } from '../../own/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../own/sandbox/sandbox-worker.ts';
import { UserFormatSession } from '../../own/user-format-session.ts';
import { STARTERS } from '../../own/starters.ts';
import { runtime } from 'virtual:own-runtime';
import { loadStory } from '../../../../src/story/format-story.ts';

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

/** The limit for modules that end by themselves, longer than any machine needs; `{}` means the page's limit. */
const PATIENT: SandboxOptions = { limitMs: 20_000 };

let sandbox: Sandbox | null = null;
const opened = (): Sandbox => (sandbox ??= new Sandbox({ address: './sandbox.html', runtime }));

/** An error as the text of a report. */
const words = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** A module with its first parameters. */
async function setupOf(runners: Runners, params: UserParams = {}): Promise<ModuleSetup> {
  const description = await requestDescription(runners);
  if (description.kind !== 'done') throw new Error(JSON.stringify(description));
  const setup = await requestSetup(runners, description.result, paramsOf(description.result, params));
  if (setup.kind !== 'done') throw new Error(JSON.stringify(setup));
  return setup.result;
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

/** Encodes and decodes MATRIX with a module; returns 'decoded the same matrix', the first different cell, or an error. */
async function roundTripReport(fromSandbox: Sandbox, text: string, options: SandboxOptions): Promise<string> {
  const runners = fromSandbox.evaluate(text, options);
  try {
    const setup = await setupOf(runners);
    const encoded = await requestEncoding(runners.encoder, setup, MATRIX, 'lines');
    if (encoded.kind !== 'done') return JSON.stringify(encoded);
    const decoded = await requestDecoding(runners.decoder, setup, encoded.result, MATRIX, true);
    if (decoded.kind !== 'done') return JSON.stringify(decoded);
    const difference = decodingDifference(MATRIX, setup, decoded.result);
    return difference === null ? 'decoded the same matrix' : `decoded another cell: ${JSON.stringify(difference)}`;
  } catch (error) {
    return words(error);
  } finally {
    runners.end();
  }
}

export const client = {
  starters: STARTERS,
  close: () => sandbox?.close(),

  /** A module's description of itself. */
  async description(text: string, options: SandboxOptions = PATIENT): Promise<string> {
    const runners = opened().evaluate(text, options);
    try {
      return JSON.stringify(await requestDescription(runners));
    } catch (error) {
      return words(error);
    } finally {
      runners.end();
    }
  },

  /** Encodes, decodes and compares a matrix of 2 × 3; see `roundTripReport`. */
  roundTrip: (text: string, options: SandboxOptions = PATIENT): Promise<string> =>
    roundTripReport(opened(), text, options),

  /** As `roundTrip`, but `script` runs before ours in each worker: the worst that a module could do. */
  async roundTripAfter(text: string, script: string): Promise<string> {
    const scriptedSandbox = new Sandbox({ address: './sandbox.html', runtime: `${script}\n${runtime}` });
    const output = await roundTripReport(scriptedSandbox, text, PATIENT);
    scriptedSandbox.close();
    return output;
  },

  /** Tests all laws; returns the broken ones, and the time of the tests. */
  async laws(text: string): Promise<{ readonly laws: string; readonly ms: number }> {
    const runners = opened().evaluate(text, PATIENT);
    try {
      const setup = await setupOf(runners);
      const start = performance.now();
      const { laws } = await testLaws(runners, setup, { now: () => performance.now(), cases: LAW_CASES });
      const reports = laws.map(({ id, passed, tried, broken }) =>
        broken ? `${id}: ${broken.why}` : `${id} ${passed === tried}`,
      );
      return { laws: reports.join(', '), ms: performance.now() - start };
    } catch (error) {
      return { laws: words(error), ms: 0 };
    } finally {
      runners.end();
    }
  },

  /** The first picture of a text's story on 64 × 64, and how long it took from the text. */
  async picture(text: string): Promise<{ readonly output: string; readonly ms: number }> {
    const session = new UserFormatSession((typed) => opened().evaluate(typed, PATIENT));
    const window = uniform(64, 64, 0.3);
    try {
      const start = performance.now();
      const moduleOpened = await session.open('typed', text);
      if (moduleOpened?.kind !== 'done') return { output: JSON.stringify(moduleOpened), ms: 0 };
      const { format } = moduleOpened.result;
      await moduleOpened.result.roundTrip(window, {}, true);
      const story = await loadStory(format);
      const output = narrationText(story.scene(story.trace(window, {}), 1));
      return { output, ms: performance.now() - start };
    } finally {
      session.close();
    }
  },

  /**
   * Encodes a large matrix in the sandbox, and checks the answer, without decoding it. `output`: whether all non-zeros
   * are stored; `ms`: the time of that; `ourMs`: the time of this project's CSR encoder on this thread.
   */
  async large(
    text: string,
    size: number,
  ): Promise<{ readonly output: string; readonly ms: number; readonly ourMs: number }> {
    const runners = opened().evaluate(text, PATIENT);
    try {
      const setup = await setupOf(runners);
      const matrix = uniform(size, size, 0.5);
      const ourStart = performance.now();
      baselineFormat.encode(matrix, defaultParams(baselineFormat.params));
      const start = performance.now();
      const request = {
        ask: 'encode',
        matrix: matrixMessage(matrix),
        params: {},
        arrays: arrayDeclarations(setup.arrays),
      } as const;
      const answer = await runners.encoder.ask({ ...request, recorded: 'nothing' });
      const encoding = parseEncoding(answer, setup.arrays, matrix);
      const ms = performance.now() - start;
      const output =
        encoding.kind === 'done'
          ? String(encoding.result.arrays[0].elements.length === matrix.nnz)
          : JSON.stringify(encoding);
      return { output, ms, ourMs: start - ourStart };
    } finally {
      runners.end();
    }
  },

  /**
   * Runs a module until it counts as slow, and ends it. Reports what comes first: the error of the ended request, or
   * 'no answer yet' from the next task of the page, by which the user must have been informed.
   */
  async cancel(text: string): Promise<string> {
    let reportSlow = (): void => {};
    const slow = new Promise<void>((resolve) => {
      reportSlow = resolve;
    });
    const runners = opened().evaluate(text, { onSlow: () => reportSlow(), limitMs: 300 });
    const answer = requestDescription(runners).then(JSON.stringify, words);
    await slow;
    runners.end();
    const nextTask = new Promise<string>((resolve) => {
      setTimeout(() => resolve('no answer yet'), 0);
    });
    return Promise.race([answer, nextTask]);
  },

  /**
   * Whether a looping module's messages on a BroadcastChannel reach the next module of the same frame, while the first
   * one runs and after it was ended. Workers of one frame share an origin, and therefore channels.
   */
  async channelReport(): Promise<string> {
    const sender = `const c = new BroadcastChannel('x'); let t = 0;
      for (;;) if (performance.now() > t + 20) { t = performance.now(); c.postMessage(1); }`;
    // Waits for a message without a limit.
    const receiver = `await new Promise((y) => { new BroadcastChannel('x').onmessage = y; }); export const title = 'heard';`;
    // Listens for 300 ms, in which the sender would send about 15 messages, one every 20 ms.
    const listener = `let n = 0; new BroadcastChannel('x').onmessage = () => n++;
      await new Promise((y) => setTimeout(y, 300)); export const title = n > 0 ? 'heard' : 'silent';`;
    const titleOf = async (text: string): Promise<string> =>
      /heard|silent/.exec(await client.description(text))?.[0] ?? 'no answer';
    const sending = opened().evaluate(sender, { onSlow: () => {} });
    const ended = requestDescription(sending).then(JSON.stringify, words);
    const during = await titleOf(receiver);
    sending.end();
    await ended;
    // A browser may allow a worker some time to end by itself; Chromium allows two seconds.
    let after = await titleOf(listener);
    for (let i = 0; i < 100 && after === 'heard'; i++) after = await titleOf(listener);
    return `${during} while it runs, ${after} afterwards`;
  },
};
