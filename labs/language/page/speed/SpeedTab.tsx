// The tab Speed: the time of one token of a large model, by matrices and as a whole, and of the current small model.

import './speed.css';
import { AnswerLine } from '../../../../src/kit/frame/AnswerLine.tsx';
import { bandwidth } from '../../../../src/kit/words/rates.ts';
import { tokenDispatches } from '../../theory/token-dispatches.ts';
import type { TabProps } from '../tab.ts';
import { TabDetails } from '../TabDetails.tsx';
import { TabAside } from '../TabAside.tsx';
import { DecodeHere } from './DecodeHere.tsx';
import { OneToken, useSmallToken } from './OneToken.tsx';
import { RatesChart } from './RatesChart.tsx';
import { ShapesTable } from './ShapesTable.tsx';
import { type LargeModelData, useLargeModel } from './use-large-model.ts';
import { ZeroInputs } from './ZeroInputs.tsx';
import { Select } from '../../../../src/kit/controls/Select.tsx';
import { DeviceLabel } from '../../../../src/kit/devices/DeviceLabel.tsx';
import { LARGE_MODELS } from './fields.ts';
import { Drawer } from '../../../../src/kit/primitives/Boxes.tsx';
import { matricesMs, TokenTimeBars, type TokenTimeRow } from './TokenTimeBars.tsx';
import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { gigabytes } from '../../../../src/kit/words/model-sizes.ts';
import type { MatrixTimesAt } from './shapes.ts';
import { clockText, pytorchText, restNs, speedFacts, speedHeadline, wholeMs, wholeText } from './speed-words.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { Fragment } from 'react';
import { useTitleOf } from '../../../../src/kit/report/report-labels.ts';
import { ratio } from '../../../../src/kit/words/quantity.ts';
import { countText } from '../../../../src/core/text/words.ts';
import prefill from '../../../../src/theory/models/prefill-i8.json';
import { PYTORCH_VERSION } from './pytorch.ts';

/** Returns the end of the axis in ms: all rows of formats and PyTorch's fastest row fit; longer rows are clipped. */
function endOf(rows: readonly TokenTimeRow[]): number {
  const formatRows = rows.filter(({ format }) => format !== null);
  const pytorchRows = rows.filter(({ format }) => format === null);
  const longestMs = formatRows.reduce((longest, row) => Math.max(longest, matricesMs(row), row.wholeMs ?? 0), 0);
  const shortestMs = pytorchRows.reduce(
    (shortest, { wholeMs: ms }) => Math.min(shortest, ms ?? shortest),
    Number.POSITIVE_INFINITY,
  );
  return 1.05 * Math.max(longestMs, Number.isFinite(shortestMs) ? shortestMs : 0, 1);
}

/** Returns the times of a token's matrices, one part for each shape. */
function partsOf(times: MatrixTimesAt, nsOf: 'denseNs' | 'storedNs'): TokenTimeRow['parts'] {
  return times.shapes.flatMap(({ group, ...shape }) => {
    const ns = shape[nsOf];
    const names = group.parts.flatMap((part) => part.names);
    // Names of one letter are joined without spaces: 'qkvo', but 'gate up'.
    const name = names.join(names.every(({ length }) => length === 1) ? '' : ' ');
    return ns === null ? [] : [{ name, ms: (ns * group.count) / 1e6 }];
  });
}

interface RowFacts extends Pick<
  LargeModelData,
  'pytorch' | 'timesAtDensity' | 'measuredTimes' | 'density' | 'isDense' | 'format' | 'readGBps' | 'wholeTokens'
> {
  /** time of all matrices of the dense model */
  readonly denseNs: number | null;
}

/** The bars: PyTorch, dense, then the format at the densities `LISTED_DENSITIES`, if measured, and at the current one. */
export function tokenTimeRows(facts: RowFacts): readonly TokenTimeRow[] {
  const {
    pytorch,
    timesAtDensity,
    measuredTimes,
    density: currentDensity,
    isDense,
    format,
    readGBps,
    denseNs,
    wholeTokens,
  } = facts;
  const limitOf = (bytes: number): number | null => (readGBps === null ? null : bytes / readGBps / 1e6);
  const pytorchRows = (pytorch?.ways ?? []).map(({ title, tokensPerSecond }): TokenTimeRow => ({
    title,
    note: '',
    format: null,
    parts: [],
    wholeMs: 1000 / tokensPerSecond,
    limitMs: null,
  }));
  const denseTimes =
    timesAtDensity === null || timesAtDensity.denseNs === null ? (measuredTimes[0] ?? timesAtDensity) : timesAtDensity;
  const denseRows: readonly TokenTimeRow[] =
    denseTimes === null
      ? []
      : [
          {
            title: referenceFormat.title,
            note: gigabytes(denseTimes.denseBytes),
            format: referenceFormat.id,
            parts: denseNs === null ? [] : partsOf(denseTimes, 'denseNs'),
            wholeMs: wholeMs(wholeTokens.dense, 1),
            limitMs: limitOf(denseTimes.denseBytes),
          },
        ];
  if (isDense) return [...pytorchRows, ...denseRows];
  const isCurrentMeasured = measuredTimes.some(({ density }) => isNear(density, currentDensity));
  const listedTimes = [
    ...measuredTimes.filter(
      (times) =>
        LISTED_DENSITIES.some((density) => isNear(density, times.density)) || isNear(times.density, currentDensity),
    ),
    ...(isCurrentMeasured || timesAtDensity === null ? [] : [timesAtDensity]),
  ];
  return [
    ...pytorchRows,
    ...denseRows,
    ...listedTimes
      .toSorted((a, b) => b.density - a.density)
      .map((times): TokenTimeRow => ({
        title: `${format.title}, ${densityText(times.density)} left`,
        note: gigabytes(times.storedBytes),
        format: format.id,
        parts: times.storedNs === null ? [] : partsOf(times, 'storedNs'),
        wholeMs: wholeMs(wholeTokens.stored, times.density),
        limitMs: limitOf(times.storedBytes),
      })),
  ];
}

/** Whether two densities are equal to within 0.004. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.004;
}

/** Densities that have a row if they were measured. */
const LISTED_DENSITIES = [0.5, 0.3, 0.1];

/** The tab: the time of a token of the current model, limited by launches, and of a large model, limited by bytes. */
export function SpeedTab({ modelChoice }: TabProps) {
  const largeModel = useLargeModel();
  const token = useSmallToken(modelChoice, largeModel);
  const {
    modelShape,
    density,
    format,
    isDense,
    loading,
    problem,
    timesAtDensity,
    measuredTimes,
    readGBps,
    wholeTokens,
  } = largeModel;
  const words = speedHeadline(
    speedFacts(largeModel, token.small && { name: modelChoice.model.shape.name, ...token.small }),
  );
  const denseNs = timesAtDensity?.denseNs ?? measuredTimes[0]?.denseNs ?? null;
  const otherDispatches = tokenDispatches(modelShape).filter(({ cells }) => cells === 0).length;
  return (
    <div className="speed-tab grid-cols-1 grid content-start gap-4 min-w-0">
      <TabAside>
        {readGBps !== null && (
          <span className="max-sm:hidden">
            reads <b className="number">{bandwidth(readGBps)}</b>
          </span>
        )}
      </TabAside>
      <AnswerLine
        words={words}
        waitingText={problem ?? (loading ? 'Loading what was measured' : 'This device’s read speed is unknown')}
        className="answer-line min-h-[2lh] max-w-[82rem]"
      />
      <LargeModelTimes modelData={largeModel} denseNs={denseNs} />
      <TabDetails
        sections={[
          {
            id: 'token',
            title: 'a token of this model',
            content: <OneToken {...{ modelChoice, modelData: largeModel, token }} />,
          },
          {
            id: 'shapes',
            title: 'shape by shape',
            content: (
              <ShapesTable
                model={modelShape}
                timesAtShare={timesAtDensity}
                title={format.title}
                isDense={isDense}
                density={density}
                readGBps={readGBps}
                otherDispatches={otherDispatches}
                denseRestNs={restNs(wholeTokens.dense, 1)}
                storedRestNs={restNs(wholeTokens.stored, density)}
              />
            ),
          },
          { id: 'rates', title: 'tokens per second', content: <RatesChart modelData={largeModel} denseNs={denseNs} /> },
          { id: 'prefill', title: 'many tokens at once', content: <PrefillTable /> },
          { id: 'inputs', title: 'inputs that are 0', content: <ZeroInputs /> },
          { id: 'decode', title: 'whole tokens here', content: <DecodeHere known={largeModel} /> },
        ]}
        resetKey={modelChoice.model.id}
      />
    </div>
  );
}

interface LargeProps {
  readonly modelData: LargeModelData;
  /** time of all matrices of the dense model, for one token */
  readonly denseNs: number | null;
}

/** Tokens of a large model: matrices measured alone, and whole tokens. */
function LargeModelTimes({ modelData, denseNs }: LargeProps) {
  const { modelShape, choose, device, pytorch, wholeTokens } = modelData;
  const rows = tokenTimeRows({ ...modelData, denseNs });
  return (
    <section aria-labelledby="speed-real">
      <div className="flex flex-wrap items-center justify-between gap-y-2 gap-x-4 mb-2 [&_.select]:w-auto [&_.select]:text-12">
        <h3 id="speed-real">
          A token of {modelShape.name}{' '}
          <span className="section-caption">
            ms; solid: matrices; faint: the rest; tick: least time to read the bytes
          </span>
        </h3>
        <Select
          aria-label="Large model"
          value={modelShape.name}
          options={LARGE_MODELS.map((name) => ({ value: name, label: name }))}
          onChange={(name) => choose({ large: name })}
        />
      </div>
      <TokenTimeBars rows={rows} end={endOf(rows)} />
      <Drawer title="how measured">
        <p className="text-muted text-12 text-pretty mt-2">
          Matrices: <DeviceLabel device={device} />, each shape alone, cold, one token, lm_head dense
          {clockText(device)}. {wholeText([...wholeTokens.dense, ...wholeTokens.stored])}{' '}
          {pytorch && pytorchText(pytorch)}
        </p>
      </Drawer>
    </section>
  );
}

/** Recorded tokens per second for prompts that a model reads at once: its blocks by format, and in PyTorch. */
function PrefillTable() {
  const titleOf = useTitleOf();
  const { on: device, model, at: prompts } = prefill;
  const [{ rows }] = prompts;
  const tableRows = [
    ...rows.map(({ format, valueType, ...row }, i) => ({
      name: [titleOf(format), valueType, ...('pattern' in row ? [row.pattern] : [])].join(' '),
      ms: prompts.map((prompt) => prompt.rows[i].ms),
    })),
    ...(['f16', 'i8'] as const).map((type) => ({
      name: `${PYTORCH_VERSION} ${type}`,
      ms: prompts.map(({ pytorch }) => pytorch[type]),
    })),
  ];
  const denseI8 = rows.findIndex(({ format, valueType }) => format === referenceFormat.id && valueType === 'i8');
  return (
    <section aria-label="Many tokens at once">
      <p className="text-muted text-12 text-pretty mb-2 max-w-[82rem]">
        {model} on {device}, in tokens a second. WebGPU reaches tensor cores in i8 alone, behind a flag, and no sparse
        ones. Dense i8 beats 6:8 and 2:4: these cores multiply zeros too.
      </p>
      <table className="shapes-table cells-end text-12 w-full">
        <thead>
          <tr>
            <th scope="col">blocks</th>
            {prompts.map(({ tokens }) => (
              <Fragment key={tokens}>
                <th scope="col">{countText(tokens)} at once</th>
                <th scope="col" className="max-sm:hidden">
                  of dense i8
                </th>
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {tableRows.map(({ name, ms }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {prompts.map(({ tokens, rows: promptRows }, i) => (
                <Fragment key={tokens}>
                  <td>{countText(rateOf(tokens, ms[i]))}</td>
                  <td className="max-sm:hidden">
                    {ratio(rateOf(tokens, ms[i]) / rateOf(tokens, promptRows[denseI8].ms))}
                  </td>
                </Fragment>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns tokens per second, rounded to a whole number. */
function rateOf(tokens: number, ms: number): number {
  return Math.round((1000 * tokens) / ms);
}
