// @vitest-environment happy-dom
/*
 * The tokens per second of a whole model in a format are the same number in Compare's headline, its table and the table of its
 * chart, at the same density, for every format and value type, on every recorded device.
 */

import { createElement, Fragment } from 'react';
import { expect, it } from 'vitest';
import { defaultParams } from '../src/core/format.ts';
import type { MatrixSummary } from '../src/engine/matrix/matrix-types.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import { modelCostAt, type ModelLine } from '../src/pages/compare/chart/model-lines.ts';
import { tokenFigures } from '../src/pages/compare/chart/ModelChart.tsx';
import { GRID } from '../src/pages/compare/curves/size-curves.ts';
import { compareAnswer } from '../src/pages/compare/rows/compare-answer.ts';
import type { ComparedFormats } from '../src/pages/compare/rows/compare-row.ts';
import { modelRows, suitedVariants } from '../src/pages/compare/rows/model-rows.ts';
import { comparedVariants, storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import { modelColumns } from '../src/pages/compare/rows/TableColumns.tsx';
import type { FormatParams } from '../src/state/index.ts';
import { KNOWN_MODELS } from '../src/theory/models/known-models.ts';
import { visibleText } from './markup.ts';
import { recordedDevices } from './recorded-questions.ts';
import { plainText } from './text-rules.ts';

const SHAPE = { rows: 4096, cols: 14_336 };
const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const variants = comparedVariants(formats, params, [], SHAPE);
const dense = (valueType: string) => storedVariantOf(referenceFormat, { valueType }, SHAPE);
const MODEL_NAMES = ['Llama-2-7B', 'Llama-3.1-8B', 'Qwen3-30B-A3B', 'Qwen2.5-0.5B'];
const MODELS = KNOWN_MODELS.filter(({ name }) => MODEL_NAMES.includes(name));

it.each(MODELS.map((model) => [model.name, model] as const))(
  'headline, table and chart state the same tokens per second of %s',
  (_, model) => {
    const comparedVariantNames = new Set<string>();
    for (const { name, roofs } of recordedDevices) {
      if (roofs === null) continue;
      const { readGBps } = roofs;
      for (const density of [0.2, 0.5, 1]) {
        const rows = modelRows({
          variants: suitedVariants(variants, [], density, SHAPE),
          summary: { ...SHAPE, source: { kind: 'model', model: 'm' } } as unknown as MatrixSummary,
          examples: formats.map(({ bestExample: { id } }) => ({ id, title: '', url: '' })),
          model,
          fusion: 'separate',
          keepHead: true,
          density,
          placement: 'independent',
          tokens: 1,
          reference: dense('f16'),
          smallest: dense('i4'),
          reports: [],
          device: name,
          measuredHere: [],
          deviceSpeed: { readGBps, dispatchNs: 0, from: 'measured' },
          sampled: new Map(),
        });
        const f16 = rows.find(({ format, detail }) => format.id === 'dense' && detail.startsWith('f16'));
        const compared = {
          level: 'model',
          rows,
          f16Bytes: f16?.bytes ?? 0,
          tokens: 1,
          model: { shape: model, isLayer: false, starts: null },
        } as unknown as ComparedFormats;
        const column = modelColumns(compared, null, []).find(({ id }) => id === 'atMost');
        for (const a of rows) {
          // The chart draws the density of all weights; an n:m format has rows for its own pruning.
          if (a.minNs === null || a.state !== 'known' || a.remedy?.kind === 'prune') continue;
          const valueType = String(a.stored.params.valueType);
          const where = `${name}, ${density}: ${a.format.id} ${valueType}`;
          const tableRate = visibleText(createElement(Fragment, null, column?.cell(a)));
          const b = a === f16 ? null : (f16 ?? null);
          const headline = plainText(compareAnswer({ ...compared, a, b, isMeasured: false }) ?? []);
          // If whole tokens were recorded, the headline states their time instead of the bound.
          const isBound = a.tokenNs === null || (b !== null && b.tokenNs === null);
          const [, headlineRate] = / writes at most ([\d\u202f.]+) tokens a second/.exec(headline) ?? [];
          if (isBound) expect(headlineRate, `${where}: ${headline}`).toBe(tableRate);
          const query = { model, fusion: 'separate', keepHead: true, readGBps } as const;
          const resolved = { format: a.format, params: a.stored.params };
          const line = { ...resolved, key: a.key, title: 'line' };
          const costs = GRID.map((share) => modelCostAt(query, resolved, share));
          const { rows: figures } = tokenFigures({
            lines: [{ line, costs } as unknown as ModelLine],
            rules: [],
            dots: [],
            published: [],
          } as unknown as Parameters<typeof tokenFigures>[0]);
          const chartRow = figures.find(({ name: share }) => Number.parseFloat(share) === 100 * density);
          if (costs.some((cost) => cost !== null)) {
            comparedVariantNames.add(`${a.format.id} ${valueType}`);
            expect(chartRow?.cells[0], `${where}: ${JSON.stringify(figures)}`).toBe(tableRate);
          }
        }
      }
    }
    for (const variant of ['dense f16', 'dense i4', 'macko f16', 'macko i4', 'csr f16', 'bitmask f16'])
      expect(comparedVariantNames).toContain(variant);
  },
);
