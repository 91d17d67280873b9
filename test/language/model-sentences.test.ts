import { createElement } from 'react';

import { renderToStaticMarkup } from 'react-dom/server';

import { describe, expect, it } from 'vitest';

import { readDecoderConfig } from '../../src/labs/language/decoders/read/decoder-config.ts';

import { Bring } from '../../src/labs/language/place/bring/BringSteps.tsx';

import { BROUGHT_MODEL, PLAN } from '../../src/labs/language/place/bring/fake-brought.ts';

import { partsWords } from '../../src/labs/language/place/bring/OwnHurts.tsx';

import { ownTextProblem } from '../../src/labs/language/place/bring/own-measuring.ts';

import { ownAnswer, ownRows, OwnTable, textIn } from '../../src/labs/language/place/bring/OwnQuality.tsx';

import {
  aboutText,
  comesText,
  keepProblem,
  partText,
  planRows,
  roomText,
} from '../../src/labs/language/place/bring/words.ts';

import { captionOf, Head, layerText, MatrixButton } from '../../src/labs/language/place/strip/Strip.tsx';

import { selectedWords } from '../../src/labs/language/place/strip/OwnPanel.tsx';

import { AS_IT_IS, type Recipe, recipeKey } from '../../src/labs/language/decoders/stored/recipe.ts';

import { SHIPPED_MODELS } from '../../src/theory/models/shipped-models.ts';

import { shownText } from '../markup.ts';

import { bytes, type Facts, number, percent, plainText, Read } from '../sentences.ts';

import { matricesOf } from '../model-questions.ts';
import { cells } from './speed-questions.ts';

/* The law for sentences, for models that a person brings, and for the bytes of a model's matrices. */

describe('a model that a person brings', () => {
  it('is described by its configuration, its files and the memory that it takes', () => {
    const read = new Read();
    const configs = [
      PLAN.config,
      { ...PLAN.config, gated: false, kvHeads: 9, positions: 2048, norm: 'layer', activation: 'gelu', tied: false },
      { ...PLAN.config, window: 512, biases: ['q', 'k', 'v'], intermediate: 12_288, hidden: 4096, activation: 'relu' },
    ] as (typeof PLAN.config)[];
    for (const config of configs) {
      for (const change of [
        {},
        { weightBytes: 2, files: PLAN.files.slice(0, 1) },
        { weightBytes: null, weights: 5_123_456, notOnGpu: 'found 7' },
      ] as const) {
        const plan = { ...PLAN, ...change, config };
        const rows = new Map(planRows(plan));
        const facts: Facts = {
          from: plan.from,
          files: number(plan.files.length),
          layers: number(config.layers),
          hidden: number(config.hidden),
          inner: number(config.intermediate),
          heads: number(config.heads),
          shared: number(config.kvHeads),
          count: number(plan.weights),
          rounded: number(plan.weights / 1e6),
          vocabulary: number(config.vocabulary),
          context: number(config.context),
          size: bytes(plan.bytes),
          memory: bytes(plan.memoryBytes),
          four: number(4),
          each: number(plan.weightBytes ?? 0),
          two: number(2),
        };
        const expectRow = (name: string, rule: string): void => read.sentence(rows.get(name) ?? '', rule, facts, name);
        expectRow('from', `{from}, safetensors${plan.files.length > 1 ? ', {files} files' : ''}`);
        const heads = config.heads === config.kvHeads ? '{heads} heads' : '{heads} heads on {shared}';
        expectRow(
          'blocks',
          `{layers} blocks, {hidden} wide, feed-forward {inner} ${config.gated ? 'with' : 'without'} a gate, ${heads}`,
        );
        if (plan.weights < 1e7) expectRow('weights', '{count}');
        else expect(rows.get('weights')).toBe(`${Math.round(plan.weights / 1e6)} × 10⁶`);
        expectRow('text', '{vocabulary} tokens, at most {context} a text');
        expectRow('files', '{size}');
        const each = plan.weightBytes === null ? '{two} to {four}' : '{each}';
        expectRow(
          'memory',
          `{memory} at ${each} bytes a weight, as much again for a pruned copy, {four} bytes a weight for its quality`,
        );
        expect(rows.get('runs on')).toBe(plan.notOnGpu === null ? 'the GPU, else the CPU' : 'the CPU. found 7.');
      }
    }
  });

  it('fits or does not fit into what the browser has left, and says where it is', () => {
    const read = new Read();
    for (const free of [null, 0, 39_999_999, 40e6, 2e9]) {
      const room = { free, isPersisted: free === 0 };
      const problem = keepProblem(room, PLAN.bytes);
      const facts = { free: bytes(free ?? 0), size: bytes(PLAN.bytes) };
      expect(problem !== null).toBe(free !== null && free < PLAN.bytes);
      if (problem !== null) read.sentence(problem, 'Room for {free}, needs {size}.', facts, problem);
      const text = roomText(room);
      const first = free === null ? '' : '{free} left here. ';
      const second = room.isPersisted ? 'Kept until you delete it.' : 'The browser may clear it.';
      read.sentence(text, first + second, facts, text);
    }
    expect(keepProblem(null, 1)).toBe('This browser keeps no files.');
    for (const isKept of [false, true]) {
      const about = aboutText({ ...BROUGHT_MODEL, isKept });
      const rule = `from {from}, {size}, ${isKept ? 'kept in this browser' : 'until you leave'}`;
      read.sentence(about, rule, { from: PLAN.from, size: bytes(PLAN.bytes) }, about);
    }
    read.sentence(partText(12_345_678), '{size} arrived; bring it again', { size: bytes(12_345_678) }, '');
    for (const { shape } of SHIPPED_MODELS) {
      const { blocks, head } = matricesOf(shape);
      const weights = head[0] * head[1] + blocks.reduce((sum, [rows, cols, count]) => sum + rows * cols * count, 0);
      const facts = { size: bytes(2 * weights), type: 'f16' };
      read.sentence(comesText(shape), 'included, {size} in {type}', facts, shape.name);
    }
    // The limit that the page names is the one that a larger model is refused by.
    const bring = shownText(createElement(Bring, { onLook: () => {}, onFiles: () => {} }));
    const config = {
      model_type: 'llama',
      hidden_size: 2048,
      intermediate_size: 8192,
      num_hidden_layers: 40,
      num_attention_heads: 32,
      vocab_size: 32_000,
    };
    let refused = '';
    try {
      readDecoderConfig(JSON.stringify(config), 'c');
    } catch (error) {
      refused = error instanceof Error ? error.message : '';
    }
    const limit = Number(/expected at most (\d+)$/.exec(refused)?.[1]);
    const [, million = ''] = /up to (\d+) million weights/.exec(bring) ?? [];
    read.sentence(million, '{million}', { million: number(limit / 1e6) }, refused);
  });

  it('is measured on a text in bits per byte, each pruning against the model as it came', async () => {
    const read = new Read();
    const quality = (bits: number) => ({ bits, bytes: 1234, tokens: 321, pieces: 1, where: 'gpu' as const });
    const pruned = (density: number): Recipe => ({ pruning: { way: 'magnitude', density }, valueType: 'f16' });
    const measured = new Map(
      [AS_IT_IS, pruned(0.5), pruned(0.9)].map((recipe, i) => [
        recipeKey(recipe),
        { recipe, quality: quality([2000, 2950.5, 1990][i]) },
      ]),
    );
    const [dense, half, nearly] = [...measured.values()];
    for (const now of [undefined, dense, half, nearly]) {
      const isDense = now === undefined || now === dense;
      const rule = isDense
        ? 'Your text costs {name} {bits} bits per byte, not pruned.'
        : 'With {left} of its weights, {name} needs {now} bits per byte for your text instead of {bits}.';
      const facts = {
        name: 'Tiny',
        bits: number(2000 / 1234, 3),
        now: number((now ?? dense).quality.bits / 1234, 3),
        left: { ...percent(0.5), digits: 1 },
      };
      read.sentence(plainText(ownAnswer('Tiny', measured, now, 0.5)), rule, facts, 'own');
    }
    expect(ownAnswer('Tiny', new Map(), undefined, 1)).toBeNull();
    for (const [pieces, where] of [
      [1, 'gpu'],
      [4, 'cpu'],
    ] as const) {
      const props = { rows: ownRows(measured.values()), quality: { ...quality(1), pieces, where } };
      const table = shownText(createElement(OwnTable, props)).split('\n');
      const rows = table.slice(1, 4).map(cells);
      for (const [i, { bits }] of [dense.quality, nearly.quality, half.quality].entries()) {
        const more = (bits - 2000) / 1234;
        const sign = more < 0 ? '−' : '+';
        const facts = { bits: number(bits / 1234, 3), more: number(Math.abs(more), 1) };
        read.sentence(rows[i].at(-2) ?? '', '{bits}', facts, rows[i].join());
        if (i === 0) expect(rows[i].at(-1)).toBe('–');
        else read.sentence(rows[i].at(-1)?.replace(sign, '') ?? '', '{more}', facts, rows[i].join());
      }
      const facts = { tokens: number(321), size: number(1234), pieces: number(pieces) };
      const anew = pieces > 1 ? ', in {pieces} pieces' : '';
      const at = where === 'gpu' ? 'on this GPU' : 'on the CPU';
      read.sentence(
        table[4].replace('bytes', 'octets'),
        `{tokens} tokens, {size} octets${anew}; ${at}.`,
        facts,
        table[4],
      );
    }
    for (const tokens of [1, 256]) {
      const text = partsWords({ tokens, bits: 512.34 });
      const rule = `First {tokens} ${tokens === 1 ? 'token' : 'tokens'}: {bits} bits unpruned.`;
      read.sentence(text, rule, { tokens: number(tokens), bits: number(512.34) }, text);
    }
    const rule = 'Your text: found {count} characters, expected at {bound} {limit}';
    const [short, long] = [199, 20_001].map((length) => ownTextProblem('x'.repeat(length)) ?? '');
    read.sentence(short, `${rule}.`, { count: number(199), bound: 'least', limit: number(200) }, short);
    read.sentence(long, `${rule}.`, { count: number(20_001), bound: 'most', limit: number(20_000) }, long);
    const { problem } = await textIn(new File(['x'.repeat(80_001)], 'a.txt'));
    const found = (problem ?? '').replaceAll('bytes', 'octets');
    const facts = { name: 'a.txt', count: number(80_001), limit: number(80_000) };
    read.sentence(found, '{name}: found {count} octets, expected at most {limit}', facts, found);
    expect(await textIn(new File(['x'.repeat(80_000)], 'a.txt'))).toMatchObject({ problem: null });
  });
});

describe('the matrices of a model', () => {
  const [{ shape }] = SHIPPED_MODELS;
  const { blocks, head } = matricesOf(shape);
  const dense = 2 * blocks.reduce((sum, [rows, cols, count]) => sum + rows * cols * count, 0);

  it('have their bytes as they are stored, of those in f16', () => {
    const read = new Read();
    const facts = { count: number(42), total: number(4.2123, 3), type: 'f16' };
    const rule = '{count} matrices, area is bytes in {type}, filled is what MACKO stores';
    read.sentence(captionOf(42, 'MACKO stores', null, dense), rule, facts, '');
    const sum = { ...facts, dense: number(dense / 1e6, 3) };
    read.sentence(
      captionOf(42, 'MACKO stores', 4_212_300, dense).replace(/ MB$/, ''),
      `${rule}: {total} of {dense}`,
      sum,
      '',
    );
    const kilobytes = (of: number): Facts => ({ kb: { ...bytes(of), digits: 1 } });
    const widest = 2 * shape.intermediate * shape.hidden;
    const ofHead = 2 * head[0] * head[1];
    const behind = shownText(createElement(Head, { tied: true, bytes: ofHead, widest, format: 'dense' }));
    read.sentence(behind, 'embedding = head{kb}, kept dense', kilobytes(ofHead), behind);
    const names = ['q', 'k', 'v'] as const;
    const stored = new Map(names.map((name, i) => [`0 ${name}`, { layer: 0, name, bytes: 12_345 * (i + 1) }]));
    const layer = layerText({ byMatrix: stored, total: null, problem: null }, 0, names);
    read.sentence(layer, '{kb}', kilobytes(6 * 12_345), layer);
    expect(layerText({ byMatrix: stored, total: null, problem: null }, 1, names)).toBe('');
    for (const [own, size] of [
      [null, null],
      [null, 36_864],
      ['i4', 12_345],
    ] as const) {
      const markup = renderToStaticMarkup(
        createElement(MatrixButton, {
          at: { layer: 3, name: 'down' },
          whole: 73_728,
          widest,
          bytes: size,
          isChosen: false,
          isSelected: false,
          isFirst: false,
          format: 'macko',
          own,
          onPress: () => {},
          onOpen: () => {},
        }),
      );
      const its = { layer: number(3), size: number(size ?? 0), whole: number(73_728), own: own ?? '' };
      const about = `${size === null ? 'not counted' : '{size} of {whole} octets'}${own === null ? '' : '; {own}'}`;
      for (const [attribute, rule] of [
        ['aria-label', 'layer {layer}, down, '],
        ['title', 'layer {layer} › down: '],
      ]) {
        const said = new RegExp(`${attribute}="(.+?)"`).exec(markup)?.[1] ?? '';
        read.sentence(said.replace('bytes', 'octets'), rule + about, its, said);
      }
    }
    for (const [matrices, rule] of [
      [[{ layer: 3, name: 'q' }], 'layer {first} › q'],
      [
        [
          { layer: 1, name: 'q' },
          { layer: 4, name: 'q' },
        ],
        'q in {count} layers',
      ],
      [
        [
          { layer: 3, name: 'q' },
          { layer: 3, name: 'up' },
        ],
        'layer {first}: {count} matrices',
      ],
      [
        [
          { layer: 3, name: 'q' },
          { layer: 5, name: 'up' },
        ],
        '{count} matrices',
      ],
    ] as const) {
      const text = selectedWords(matrices);
      read.sentence(text, rule, { first: number(3), count: number(2) }, text);
    }
  });
});
