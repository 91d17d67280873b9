import { createElement } from 'react';
import { expect, it } from 'vitest';
import { markupOf, visibleText } from '../../../../../test/markup.ts';
import { CSR, DEVICES, F16, recorded, variantOf } from '../../../../../test/model-questions.ts';
import { type Statement, wordings } from '../../../../../test/wordings.ts';
import { Random } from '../../../../core/number/random.ts';
import type { Device } from '../../../../state/devices/device.ts';
import { type ModelShape } from '../../../../theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../../theory/models/known-models.ts';
import { modelView, tokenFacts } from '../../model/model-view.ts';
import { matrixColumns, modelColumns } from '../../rows/TableColumns.tsx';
import type { ComparedFormats, CompareRow } from '../../rows/compare-row.ts';
import type { StoredVariant } from '../../rows/stored-variants.ts';
import { LayersDetails } from './LayersDetails.tsx';
import { LeftOut, ModelFacts } from './ModelFacts.tsx';

/** Large models without inactive matrices, and a small one, whose launches need longer than its bytes. */
const MODELS = [
  ...KNOWN_MODELS.filter(({ gated, positions, experts }) => gated && positions === 0 && !experts).slice(0, 2),
  ...KNOWN_MODELS.filter(({ name }) => name.startsWith('Tales')).slice(0, 1),
];
/** The recorded reports as if each were of a prompt of 16 tokens. */
const PROMPTS = recorded.reports.map((report) => ({
  ...report,
  workload: { ...report.workload, operation: 'gemm', sizes: { tokens: 16 } },
}));

/** The recorded device without the reports of about this share of its shapes, chosen at random. */
function withoutShapes(share: number): Device {
  const random = new Random(11);
  const shapes = [...new Set(recorded.reports.map(({ workload }) => `${workload.rows} ${workload.cols}`))];
  const removedShapes = new Set(shapes.filter(() => random.uniform() < share));
  const isKept = ({ workload }: (typeof recorded.reports)[number]) =>
    !removedShapes.has(`${workload.rows} ${workload.cols}`);
  return { ...recorded, reports: recorded.reports.filter(isKept) };
}

interface ViewQuery {
  readonly model: ModelShape;
  readonly variant: StoredVariant;
  readonly density: number;
  readonly device: Device;
  readonly hasKernel: boolean;
  readonly tokens: number;
}

/** Compare's data on a model in one format at one density, on a device. */
function viewOf({ model, variant, density, device, hasKernel, tokens }: ViewQuery) {
  const { format, stored } = variant;
  const { roofs, name, reports } = device;
  const operation = tokens === 1 ? 'spmv' : 'gemm';
  const query = { operation, tokens, stored, dense: F16.stored, hasKernel, device: name, density };
  const reads = roofs && { ...roofs, from: 'measured' as const };
  const storage = { format, params: stored.params, fusion: 'separate' as const, keepHead: true, density };
  const view = modelView(model, storage, reports, query, tokens === 1 ? reads : null);
  if (!view) throw new Error('found no view');
  return view;
}

/** Each model, shape by shape, with all, some and none of its shapes timed, and then one model with 16 tokens. */
function* layers(): Generator<Statement> {
  for (const model of MODELS) {
    for (const device of [withoutShapes(0), withoutShapes(0.3), ...DEVICES.slice(1)])
      for (const [variant, density, hasKernel] of [
        [F16, 0.5, true],
        [variantOf('macko'), 0.5, true],
        [CSR, 0.3, true],
        [variantOf('macko'), 0.3, false],
      ] as const) {
        const view = viewOf({ model, variant, density, device, hasKernel, tokens: 1 });
        const { measuredShapes, starts, storedTime, denseTime } = view;
        const sums = [denseTime, storedTime]
          .map((sum) => `${Math.round(sum?.ns ?? 0)} ns from ${sum?.from}`)
          .join(', ');
        yield ['view', `${measuredShapes} measured, ${starts} starts: ${sums}`];
        const { format } = variant;
        yield ['layers', visibleText(createElement(LayersDetails, { view, format, formatTitle: format.title }))];
        yield ['figures', visibleText(createElement(ModelFacts, { view, formatTitle: format.title }))];
        for (const [name, value] of tokenFacts(view, format.title)) yield ['token', `${name}: ${value}`];
      }
    yield ['cache', visibleText(createElement(LeftOut, { model }))];
  }
  const [model] = MODELS;
  const allShapes = [...new Set(PROMPTS.map(({ workload }) => `${workload.rows} × ${workload.cols}`))];
  for (const untimed of [[], ['4096 × 4096'], ['4096 × 4096', '11008 × 4096'], allShapes]) {
    const reports = PROMPTS.filter(({ workload }) => !untimed.includes(`${workload.rows} × ${workload.cols}`));
    const device = { ...recorded, reports };
    const variant = variantOf('macko');
    const view = viewOf({ model, variant, density: 0.5, device, hasKernel: true, tokens: 16 });
    const { format } = variant;
    const [head] = markupOf(createElement(LayersDetails, { view, format, formatTitle: 'MACKO' })).split('</tr>');
    yield [`prompt, ${view.measuredShapes}`, head.replaceAll(/(<[^>]*>)+/g, ' | ')];
  }
}

/** The cells of random rows of Compare's table, for matrices and for models. */
function* cells(): Generator<Statement> {
  const random = new Random(23);
  for (let i = 0; i < 200; i++) {
    const level = i % 2 === 0 ? 'matrix' : 'model';
    const tokens = i % 3 === 0 && level === 'model' ? 16 : 1;
    const [bytes, f16Bytes] = [1, 1].map(() => Math.round(10 ** (2 + 9 * random.uniform())));
    const measuredNs = random.below(4) === 0 ? null : 10 ** (3 + 5 * random.uniform());
    const minNs = tokens > 1 ? null : (measuredNs ?? 1e5) * (0.05 + random.uniform());
    const evenWithI4 = [undefined, null, random.uniform()][random.below(3)];
    const tokenTimes =
      i % 8 === 7 && measuredNs !== null ? { matricesNs: measuredNs, tokenNs: 1.3 * measuredNs } : { tokenNs: null };
    const isExpected = random.below(2) === 0;
    const fixed = { format: F16.format, stored: { params: {} }, detail: '', figures: null, state: 'known' };
    const comparedWithI4 = evenWithI4 === undefined ? {} : { evenWithI4 };
    const row = {
      ...fixed,
      bytes,
      measuredNs,
      minNs,
      isExpected,
      ...tokenTimes,
      ...comparedWithI4,
    } as unknown as CompareRow;
    const model = { contextBytes: Math.round(1e10 * random.uniform()), shape: MODELS[0] };
    // For random weights, a line below the table states that sizes are computed.
    const summary = random.below(2) === 0 ? { sampledRows: 64 } : {};
    // A second row, since all rows of a table share a unit.
    const rows = [
      row,
      {
        format: F16.format,
        stored: { params: {} },
        bytes: random.below(2) === 0 ? f16Bytes : null,
        state: 'known',
        minNs: i % 8 ? 2e3 : minNs,
      },
    ];
    const compared = {
      level,
      tokens,
      f16Bytes,
      model,
      summary,
      rows,
      visibleDevice: { device: recorded },
    } as unknown as ComparedFormats;
    const columns = level === 'model' ? modelColumns(compared, null, [8, 16, 24, 80]) : matrixColumns(compared, null);
    for (const { id, cell } of columns) {
      if (['why', 'needs'].includes(id)) continue;
      const element = createElement('p', null, cell(row));
      // The cards that fit the model are a picture with a name.
      yield [`${level}, ${id}`, /aria-label="([^"]*)"/.exec(markupOf(element))?.[1] ?? visibleText(element)];
    }
  }
}

it.each(Object.entries({ layers, cells }))('the texts of %s are those of the snapshot', async (name, output) => {
  const names = MODELS.map((model) => model.name);
  await expect(wordings(output(), names)).toMatchFileSnapshot(`words/${name}.txt`);
});
