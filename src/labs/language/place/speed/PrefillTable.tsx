import { Fragment } from 'react';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useTitleOf } from '../../../../kit/report/report-labels.ts';
import { ratio } from '../../../../kit/words/quantity.ts';
import { countText } from '../../../../core/text/words.ts';
import prefill from '../../../../theory/models/prefill-i8.json';
import { PYTORCH_VERSION } from './pytorch.ts';

/** Recorded tokens per second for prompts that a model reads at once: its blocks by format, and in PyTorch. */
export function PrefillTable() {
  const titleOf = useTitleOf();
  const { on: device, model, at: prompts } = prefill;
  const [{ rows }] = prompts;
  const lines = [
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
          {lines.map(({ name, ms }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {prompts.map(({ tokens, rows: all }, i) => (
                <Fragment key={tokens}>
                  <td>{countText(rateOf(tokens, ms[i]))}</td>
                  <td className="max-sm:hidden">{ratio(rateOf(tokens, ms[i]) / rateOf(tokens, all[denseI8].ms))}</td>
                </Fragment>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Whole tokens a second, as they are printed. */
function rateOf(tokens: number, ms: number): number {
  return Math.round((1000 * tokens) / ms);
}
