import { counted, shapeText } from '../../../../src/core/text/words.ts';
import { percent, time } from '../../../../src/kit/words/quantity.ts';
import { speedFromTimes, speedText } from '../../../../src/kit/words/speed-of.ts';
import { KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';
import recorded from './zero-inputs.json';

/** A kind of matrix with its recorded times in nanoseconds, or all matrices of a token. */
interface TimedMatrices {
  readonly name: string;
  readonly denseNs: number;
  /** for each share of zeros in `recorded.zerosPercent` */
  readonly skippingNs: readonly number[];
}

/** Each kind of matrix, then all products of a token, whose times are computed from them. */
export function timedMatrices(): readonly TimedMatrices[] {
  const { matrices, model, zerosPercent } = recorded;
  const layers = KNOWN_MODELS.find(({ name }) => name === model)?.layers ?? 0;
  const kinds = matrices.map(({ names, rows, columns, denseUs, skippingUs }) => ({
    name: `${names.join(' ')} ${shapeText(rows, columns)}`,
    count: names.length * layers,
    denseNs: 1000 * denseUs,
    skippingNs: skippingUs.map((us) => 1000 * us),
  }));
  const sum = (nsOf: (kind: (typeof kinds)[number]) => number): number =>
    kinds.reduce((ns, kind) => ns + kind.count * nsOf(kind), 0);
  const count = kinds.reduce((products, kind) => products + kind.count, 0);
  return [
    ...kinds,
    {
      name: `a token: ${counted(count, 'product')}, computed`,
      denseNs: sum(({ denseNs }) => denseNs),
      skippingNs: zerosPercent.map((_, i) => sum(({ skippingNs }) => skippingNs[i])),
    },
  ];
}

/** Recorded times of a model's feed-forward matrices by a kernel that skips inputs that are 0, next to dense f16. */
export function ZeroInputs() {
  const { on, date, model, zerosPercent } = recorded;
  const columns = timedMatrices();
  return (
    <section aria-label="Inputs that are 0">
      <p className="text-muted text-12 text-pretty mb-2 max-w-[82rem]">
        {model} in f16 on {on}, {date}. A kernel leaves out the columns whose input is 0. What leaving out small inputs
        costs: Quality, “inputs used”. On your GPU: Measure, “y = A x, zeros in x”.
      </p>
      <table className="shapes-table cells-end text-12 w-full">
        <thead>
          <tr>
            <th scope="col">one token</th>
            {columns.map(({ name }) => (
              <th scope="col" key={name} className="max-sm:whitespace-normal!">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">dense, all columns</th>
            {columns.map(({ name, denseNs }) => (
              <td key={name}>{time(denseNs)}</td>
            ))}
          </tr>
          {zerosPercent.map((zeros, i) => (
            <tr key={zeros}>
              <th scope="row" className="max-sm:whitespace-normal!">
                {percent(zeros / 100, 0)} zeros left out
              </th>
              {columns.map(({ name, denseNs, skippingNs }) => (
                <td key={name}>
                  {time(skippingNs[i])}{' '}
                  <span className="text-muted max-sm:block">{speedText(speedFromTimes(skippingNs[i], denseNs))}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
