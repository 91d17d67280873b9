import { median } from '../../../core/number/statistics.ts';
import {
  decodeBytes,
  type DecodeReport,
  type DecodeRun,
  failedStages,
  runRate,
} from '../../../core/reports/decode-report.ts';
import { countText } from '../../../core/story/words.ts';
import { useApp } from '../../../kit/app-context.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { keptDecodes } from '../../../kit/report/use-decodes.ts';
import { time } from '../../../kit/words/quantity.ts';
import { bandwidth, oneDecimal } from '../../../kit/words/rates.ts';
import { gigabytes } from '../../../kit/words/weights.ts';
import { adapterName } from '../../../state/devices/adapter-name.ts';
import { dayText } from '../../../state/devices/devices.ts';

interface DecodeResultProps {
  readonly report: DecodeReport;
  /** its run goes on */
  readonly isGrowing: boolean;
}

/** Whole tokens as they were measured: a column for each context. A report with a wrong stage has no times. */
export function DecodeResult({ report, isGrowing }: DecodeResultProps) {
  const { formats } = useApp();
  const { model, format, density, environment, createdAt, runs, prefill, setup, bytes, unfinished } = report;
  const title = formats.find(({ id }) => id === format)?.title ?? format;
  const wrong = failedStages(report);
  const isTimed = wrong.length === 0 && runs.some(({ msPerToken }) => msPerToken !== null);
  const kinds = [...new Set(runs.flatMap(({ times }) => Object.keys(times?.kinds ?? {})))];
  const name = `decode-${model.name}-${format}-${density}`.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
  return (
    <div className="decode-result">
      <p>
        <b style={{ color: cssTextColorOf(format) }}>
          {title} {density}
        </b>{' '}
        {model.name}
        {environment.isFallback && ', tiny'}, {adapterName(environment)}, {dayText(createdAt)}
        {environment.isFallback && ': software, so nothing was timed'}
      </p>
      {runs.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
        <section className="shapes-scroll" tabIndex={0} aria-label={`${model.name} in ${title}, whole tokens`}>
          <table className="shapes-table">
            <thead>
              <tr>
                <th scope="col">tokens before</th>
                {runs.map(({ context }) => (
                  <th key={context} scope="col">
                    {countText(context)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {isTimed && (
                <>
                  <Line title="tokens per second" runs={runs} strong text={(run) => oneDecimal(runRate(run) ?? 0)} />
                  <Line title="slowest tenth to fastest" runs={runs} text={spreadText} />
                  {kinds.map((kind) => (
                    <Line key={kind} title={kind} runs={runs} text={(run) => kindText(run, kind)} />
                  ))}
                  <Line title="bytes a token" runs={runs} text={(run) => gigabytes(run.bytesPerToken)} />
                  <Line title="bytes per second" runs={runs} text={rateText} />
                </>
              )}
              <Line title="stages right, before and after" runs={runs} text={stagesText} />
            </tbody>
          </table>
        </section>
      )}
      {wrong.length > 0 && (
        <p className="speed-error">
          Wrong, so its times are not shown:{' '}
          {wrong.map(({ what, position }) => `${what} after ${position} tokens`).join('; ')}.
        </p>
      )}
      <p className="speed-note">
        {isTimed &&
          prefill &&
          prefill.roundMs.length > 0 &&
          `Reads ${prefill.tokens} tokens at once at ${oneDecimal((1000 * prefill.tokens) / median(prefill.roundMs))} a second. `}
        {!environment.isFallback &&
          `${gigabytes(decodeBytes(report))} on the GPU: ${Object.entries(bytes)
            .map(([kind, of]) => `${kind} ${gigabytes(of)}`)
            .join(
              ', ',
            )}. Made in ${oneDecimal(setup.makeSeconds)} s, put there in ${oneDecimal(setup.openSeconds)} s. `}
        {unfinished !== undefined && <b>{unfinished} </b>}
        {!isGrowing && (
          <>
            <button
              type="button"
              className="text-button"
              onClick={() => saveText(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`, 'application/json')}
            >
              save JSON
            </button>{' '}
            <button type="button" className="text-button" onClick={() => void keptDecodes().remove(report)}>
              remove
            </button>
          </>
        )}
      </p>
    </div>
  );
}

interface LineProps {
  readonly title: string;
  readonly runs: readonly DecodeRun[];
  readonly text: (run: DecodeRun) => string;
  readonly strong?: boolean;
}

function Line({ title, runs, text, strong = false }: LineProps) {
  return (
    <tr>
      <th scope="row" className="shapes-rest">
        {title}
      </th>
      {runs.map((run) => (
        <td key={run.context} className={strong ? 'shapes-gain' : undefined}>
          {text(run)}
        </td>
      ))}
    </tr>
  );
}

/** Tokens per second that nine of ten rounds reached, and one of ten. */
function spreadText({ msPerToken }: DecodeRun): string {
  return msPerToken === null ? '–' : `${oneDecimal(1000 / msPerToken.p90)} to ${oneDecimal(1000 / msPerToken.p10)}`;
}

function kindText({ times }: DecodeRun, kind: string): string {
  const found = times?.kinds[kind];
  return found ? time(found.ns) : '–';
}

function rateText({ msPerToken, bytesPerToken }: DecodeRun): string {
  return msPerToken === null ? '–' : bandwidth(bytesPerToken / (1e6 * msPerToken.median));
}

function stagesText({ checks: { before, after } }: DecodeRun): string {
  const right = (all: typeof before): string => `${all.filter(({ ok }) => ok).length}/${all.length}`;
  return `${right(before)}, ${right(after)}`;
}
