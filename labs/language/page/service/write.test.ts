// TextWriter: the dense text and the text of the pruned model, which reads the dense tokens.

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { byteTokenizer, randomWeights, tinyConfig } from '../../test/decoders.ts';
import { DISK_HOST, diskModels, newJob } from '../../test/disk-host.ts';
import { WRITE_REQUEST } from '../../test/fake-imported.ts';
import { placedDecoder, threadDecoders, withMethods } from '../../test/fake-decoders.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import { formatById } from '../../../../src/formats/registry.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { DeviceLostError } from '../../../../src/gpu/index.ts';
import type { Decoders } from './decoders.ts';
import type { Decoder } from '../../decoders/decoder.ts';
import type { ReadToken, RequestedMatrix, WriteRequest, WritingResult } from './types.ts';
import { readTokenizer } from '../../decoders/tokenizer.ts';
import { TextWriter } from './write.ts';

const host = { ...DISK_HOST, format: formatById };
const models = diskModels();

/** This thread's decoders, with some of their functions replaced. */
function decodersWith(
  where: 'cpu' | 'gpu',
  methods: (decoder: Decoder, isDense: boolean) => Partial<Decoder>,
): Pick<Decoders, 'open'> {
  return {
    async open(...args) {
      const { decoder } = await threadDecoders(where).open(...args);
      return placedDecoder(withMethods(decoder, methods(decoder, args[2] === null)), where);
    },
  };
}

/** The texts of a request, as its events report them, and its result. */
interface WrittenTexts {
  readonly prompt: readonly string[];
  readonly dense: readonly string[];
  readonly readTokens: readonly ReadToken[];
  readonly firstDifference: number;
  readonly free: readonly string[];
  readonly written: WritingResult;
}

async function write(writer: TextWriter, request: WriteRequest, job = newJob()): Promise<WrittenTexts> {
  let prompt: readonly string[] = [];
  let firstDifference = -1;
  const dense: string[] = [];
  const readTokens: ReadToken[] = [];
  const free: string[] = [];
  const written = await writer.write(job, request, (event) => {
    if (event.kind === 'begin') prompt = event.prompt;
    else if (event.kind === 'written') dense.push(...event.tokens); // bounded: a short text
    else if (event.kind === 'read') readTokens.push(...event.tokens); // bounded: a short text
    else {
      firstDifference = event.firstDifference;
      free.push(...event.tokens); // bounded: a short text
    }
  });
  return { prompt, dense, readTokens, firstDifference, free, written };
}

const writerOn = (where: 'cpu' | 'gpu'): TextWriter => new TextWriter(models, threadDecoders(where), host);

let halfPruned: WrittenTexts;
let writer: TextWriter;
beforeAll(async () => {
  writer = writerOn('cpu');
  halfPruned = await write(writer, WRITE_REQUEST);
});

describe('the dense and the pruned text', () => {
  it('begin with the prompt, and the pruned model reads every token of the dense one', () => {
    expect(halfPruned.prompt.join('')).toBe(WRITE_REQUEST.prompt);
    expect(halfPruned.dense).toHaveLength(WRITE_REQUEST.count);
    expect(halfPruned.readTokens.map(({ text }) => text)).toEqual(halfPruned.dense);
    const { denseBits, prunedBits, bytes } = halfPruned.written;
    expect(bytes).toBe(halfPruned.dense.join('').length);
    const lost = halfPruned.readTokens.reduce((sum, token) => sum + token.lost, 0);
    expect(prunedBits - denseBits).toBeCloseTo(lost, 6);
  });

  it('diverge at the first token that the pruned model would have written differently', () => {
    const first = halfPruned.readTokens.findIndex(({ prunedToken }) => prunedToken !== null);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(halfPruned.firstDifference).toBe(first);
    expect(halfPruned.free[0]).toBe(halfPruned.readTokens[first].prunedToken);
  });

  it('list four likely tokens with both probabilities', () => {
    for (const { likely } of halfPruned.readTokens) {
      expect(likely).toHaveLength(4);
      const max = likely.map(({ dense, pruned }) => Math.max(dense, pruned));
      expect(max).toEqual(max.toSorted((a, b) => b - a));
      expect(max[0]).toBeLessThanOrEqual(1);
    }
  });

  it('are equal without pruning, and the dense text is the same for every pruning', async () => {
    const unprunedText = await write(writer, { ...WRITE_REQUEST, pruning: null });
    expect(unprunedText.dense).toEqual(halfPruned.dense);
    expect(
      unprunedText.readTokens.every(({ lost, prunedToken }) => Math.abs(lost) < 1e-9 && prunedToken === null),
    ).toBe(true);
    expect(unprunedText.free).toEqual([]);
    expect(unprunedText.firstDifference).toBe(WRITE_REQUEST.count);
  });

  it('are the same if the pruned model reads an existing dense text in one pass', async () => {
    const again = await write(writer, WRITE_REQUEST);
    expect([again.dense, [again.firstDifference, again.free]]).toEqual([
      halfPruned.dense,
      [halfPruned.firstDifference, halfPruned.free],
    ]);
    expect(again.readTokens.map(({ prunedToken }) => prunedToken)).toEqual(
      halfPruned.readTokens.map(({ prunedToken }) => prunedToken),
    );
    for (const [i, { lost }] of again.readTokens.entries()) expect(lost).toBeCloseTo(halfPruned.readTokens[i].lost, 3);
    expect(again.written.rates.pruned).toBeGreaterThan(0);
  });

  it('are the same if many tokens are requested at once, as on a device', async () => {
    const ahead = await write(writerOn('gpu'), WRITE_REQUEST);
    expect([{ ...ahead, written: null }, ahead.written.where]).toEqual([{ ...halfPruned, written: null }, 'gpu']);
    expect(ahead.written.prunedBits).toBeCloseTo(halfPruned.written.prunedBits, 9);
  });
});

it('matrices with custom choices are pruned, rounded and multiplied by them', async () => {
  const { open } = threadDecoders('cpu');
  const spy = { open: vi.fn<typeof open>(open) };
  const overrides: readonly RequestedMatrix[] = [
    { layer: 1, name: 'down', format: 'csr', params: {}, pruning: { way: 'none' } },
    { layer: 2, name: 'up', format: 'dense', params: { valueType: 'i4' }, pruning: { way: 'wanda', density: 0.25 } },
  ];
  const mixed = await write(new TextWriter(models, spy, host), { ...WRITE_REQUEST, overrides });
  const [, weights, storage] = spy.open.mock.lastCall ?? [];
  const stored = storage?.overrides?.map(({ layer, name, format }) => `${layer} ${name} ${format.id}`);
  expect([stored, mixed.dense]).toEqual([['1 down csr', '2 up dense'], halfPruned.dense]);
  expect(mixed.written.prunedBits).not.toBe(halfPruned.written.prunedBits);
  const share = (layer: number, name: 'down' | 'up'): number => {
    const cells = weights?.blocks[layer].matrices[name] ?? new Float32Array();
    return cells.filter((w) => w !== 0).length / cells.length;
  };
  expect(share(1, 'down')).toBeGreaterThan(0.99);
  expect(share(0, 'down')).toBeCloseTo(0.5, 2);
  expect(share(2, 'up')).toBeLessThan(0.26);
});

it('a newer request ends the previous one, and continues its dense text', async () => {
  const fresh = writerOn('cpu');
  const first = write(fresh, WRITE_REQUEST);
  const second = write(fresh, { ...WRITE_REQUEST, pruning: { way: 'rows', density: 0.9 } });
  await expect(first).rejects.toThrow(CancelledError);
  expect((await second).dense).toEqual(halfPruned.dense);
});

it('a model whose weights are stored sparse by bitmask opens and writes', async () => {
  const sparse = { id: 'tales-pruned', url: 'labs/language/public/models/tales-pruned/' };
  const written = await write(writerOn('cpu'), {
    ...WRITE_REQUEST,
    model: sparse,
    pruning: null,
    prompt: '',
    count: 8,
  });
  expect(written.dense).toHaveLength(8);
  expect(written.written.verdicts?.dense.broken).toBeNull();
  const { weights } = await models.load(sparse, newJob());
  const { up } = weights.blocks[0].matrices;
  expect(up.filter((weight) => weight !== 0).length / up.length).toBeCloseTo(0.25, 1);
});

it('the speed of the pruned model’s own text counts the tokens drawn in it, not the token at the fork', async () => {
  let ms = 0;
  const slow = decodersWith('cpu', (decoder) => ({
    // Drawing a token needs 1 ms, and reading none.
    async *write(...parts) {
      for await (const id of decoder.write(...parts)) {
        ms++;
        yield id;
      }
    },
  }));
  const timedWriter = new TextWriter(models, slow, { ...host, now: () => ms });
  const { written, free, firstDifference } = await write(timedWriter, { ...WRITE_REQUEST, count: 40 });
  expect([free.length + firstDifference, written.freeEnded]).toEqual([40, false]);
  expect(written.rates.pruned).toBe(1000);
});

it('the bytes of a text are the bytes of its letters, also if several tokens share a letter', async () => {
  const tokenizer = readTokenizer(JSON.stringify(byteTokenizer()), { vocabulary: 258 });
  const [prompt, text] = ['na', '\u00efve \u65e5\u672c \ud83d\ude00'];
  const config = tinyConfig({ vocabulary: 258 });
  const reported = [0, ...tokenizer.encode(prompt + text), 1];
  // After each token, the next one of the text is the only likely one.
  const decoderOfText = (): Decoder => {
    let length = 0;
    const feed: Decoder['feed'] = async (ids) => {
      const logits = new Float32Array(ids.length * config.vocabulary);
      for (let i = 0; i < ids.length; i++) logits[i * config.vocabulary + reported[++length]] = 1000;
      return logits;
    };
    return withMethods(cpuDecoder(config, randomWeights(config, 1)), { feed, rewind: (to) => void (length = to) });
  };
  const fakeModels = {
    load: async () => ({ id: 'brought:tiny', config, tokenizer, weights: {} }),
    pruned: async () => ({}),
  } as unknown as LoadedModels;
  const decoders = { open: async () => placedDecoder(decoderOfText(), 'cpu') };
  const { dense, written } = await write(new TextWriter(fakeModels, decoders, host), { ...WRITE_REQUEST, prompt });
  expect(dense).toHaveLength(reported.length - 4);
  expect(written).toMatchObject({ ended: true, bytes: new TextEncoder().encode(text).length });
});

it('a text is written again after forget', async () => {
  let fed = 0;
  const counting = decodersWith('cpu', (decoder, isDense) => ({
    feed: (ids) => {
      if (isDense) fed++;
      return decoder.feed(ids);
    },
  }));
  const textWriter = new TextWriter(models, counting, host);
  const fedByWriting = async (): Promise<number> => {
    const before = fed;
    await write(textWriter, { ...WRITE_REQUEST, count: 4 });
    return fed - before;
  };
  expect([await fedByWriting(), await fedByWriting()]).toEqual([4, 0]);
  textWriter.forget();
  expect(await fedByWriting()).toBe(4);
});

it('a prompt too long for an answer is rejected with one message', async () => {
  const long = Array.from({ length: 600 }, () => 'cow').join(' ');
  await expect(write(writer, { ...WRITE_REQUEST, prompt: long })).rejects.toThrow(
    /^prompt: found \d+ tokens, expected fewer than the context of \d+$/,
  );
});

it('a request after a lost device continues the text so far', async () => {
  const usual = await write(writerOn('gpu'), WRITE_REQUEST);
  const requests: number[] = [];
  const breaking = decodersWith('gpu', (decoder) => ({
    async *write(...parts) {
      requests.push(parts[1]);
      let tokens = 0;
      for await (const id of decoder.write(...parts)) {
        yield id;
        if (++tokens === 10 && requests.length === 1) throw new DeviceLostError('the device was lost');
      }
    },
  }));
  const textWriter = new TextWriter(models, breaking, host);
  await expect(write(textWriter, WRITE_REQUEST)).rejects.toBeInstanceOf(DeviceLostError);
  const again = await write(textWriter, WRITE_REQUEST);
  expect([again.dense, again.free]).toEqual([usual.dense, usual.free]);
  // The first tokens were not written a second time.
  expect(requests.slice(0, 2)).toEqual([WRITE_REQUEST.count, WRITE_REQUEST.count - 10]);
});
