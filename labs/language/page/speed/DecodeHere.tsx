// The section of the tab Speed that decodes on this GPU.

import { useStore } from 'zustand';
import { countText } from '../../../../src/core/text/words.ts';
import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { useApp, useSession } from '../../../../src/kit/app-context.ts';
import { useJob } from '../../../../src/kit/use-job.ts';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { decodeReports } from '../../../../src/kit/report/use-decode-reports.ts';
import { useTitleOf } from '../../../../src/kit/report/report-labels.ts';
import { gigabytes } from '../../../../src/kit/words/model-sizes.ts';
import { adapterName, remainingTime, dayText } from '../../../../src/state/index.ts';
import {
  decodePlanText,
  decodeNote,
  kindText,
  rateText,
  spreadText,
  stagesText,
  decodeProblem,
  wrongText,
} from './decode-words.ts';
import { decodeMemory } from '../../theory/decode-memory.ts';
import { DENSE_PARAMS, type LargeModelData } from './use-large-model.ts';
import {
  type DecodeReport,
  type DecodeRun,
  failedStages,
  runRate,
} from '../../../../src/core/reports/decode-report.ts';
import type { LanguageService } from '../service/service.ts';
import type { DecodeRequest } from '../service/types.ts';
import { saveText } from '../../../../src/kit/browser/save-blob.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { oneDecimal } from '../../../../src/kit/words/rates.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';

/** Decodes tokens on this GPU on request, and stores the report, even if interrupted. `growingReport`: the report so far. */
function useDecode() {
  const { engine } = useApp();
  const {
    data: latestReport,
    job,
    error,
    isCancelled,
    startWith,
    cancel,
  } = useJob<DecodeReport | null>(['Decoding whole tokens'], null);
  const run = (title: string, request: DecodeRequest): void =>
    startWith(async ({ signal, show }, { update }) => {
      const remaining = remainingTime(() => performance.now());
      let growingReport: DecodeReport | null = null;
      update(growingReport);
      show({ title });
      try {
        await engine
          .service<LanguageService>('language')
          .decode(
            { signal, onProgress: (progress) => show({ progress, remainingMs: remaining(progress) }) },
            request,
            (report) => update((growingReport = report)),
          );
      } finally {
        const report = growingReport as DecodeReport | null;
        if (report !== null && report.runs.length > 0) await decodeReports().keep(report);
      }
      return growingReport;
    });
  return {
    job,
    growing: job === null ? null : latestReport,
    error: error ?? (isCancelled ? CANCELLED : null),
    run,
    cancel,
  };
}

const CANCELLED = 'Decoding was cancelled; what was measured stays.';

/** Positions in the cache of keys and values: 4,000 before, 100 decoded and one more, rounded up to blocks of 64. */
const POSITIONS = 4160;

/** A button that decodes tokens on this GPU with random weights of a large model's sizes, and the reports. */
export function DecodeHere({ known: modelData }: { readonly known: LargeModelData }) {
  const { modelShape, density, format, params, isDense } = modelData;
  const { job, growing: growingReport, error, run, cancel } = useDecode();
  const status = useSession((s) => s.device);
  const { reports, rejection } = useStore(decodeReports().store);
  const request = isDense
    ? { format: referenceFormat, params: format.id === referenceFormat.id ? params : DENSE_PARAMS, density: 1 }
    : { format, params, density };
  const memory = decodeMemory(modelShape, request, request.density, POSITIONS);
  const problem = status === null ? null : decodeProblem(status, modelShape.name, memory?.longestBuffer ?? 0);
  const start = ({ format: { id, title }, ...storage }: typeof request): void =>
    run(`Decoding ${modelShape.name} in ${storedTitle(title, storage.density)}`, {
      model: modelShape,
      format: id,
      ...storage,
    });
  // A growing report replaces an older one of its format.
  const modelReports = [
    ...(growingReport === null ? [] : [growingReport]),
    ...reports.filter((report) => report.model.name === modelShape.name),
  ];
  const ids = new Set([
    request.format.id,
    referenceFormat.id,
    ...(growingReport === null ? [] : [growingReport.format]),
  ]);
  const visibleReports = [...ids].flatMap((id) => modelReports.find((report) => report.format === id) ?? []);
  return (
    <>
      <p className="text-muted text-12 mb-2">
        random weights, 100 tokens after 0, {countText(1000)} and {countText(4000)} others, by the wall clock
      </p>
      {job === null ? (
        <p className="speed-run flex flex-wrap items-center gap-3 text-muted text-12 mt-3">
          <Button kind="solid" aria-disabled={problem !== null} onClick={() => problem === null && start(request)}>
            Decode 100 tokens
          </Button>
          {!isDense && (
            <Button
              aria-disabled={problem !== null}
              onClick={() => problem === null && start({ format: referenceFormat, params: DENSE_PARAMS, density: 1 })}
            >
              and dense
            </Button>
          )}
          <span>
            {problem ??
              decodePlanText(status, modelShape.name, storedTitle(request.format.title, request.density), memory)}
          </span>
        </p>
      ) : (
        <JobProgress job={job} onCancel={cancel} />
      )}
      {[error, rejection].map(
        (message) =>
          message !== null && (
            <p key={message} className="text-danger mt-2" role="status">
              {message}
            </p>
          ),
      )}
      {visibleReports.map((report) => (
        <DecodeResult key={report.format} report={report} isGrowing={report === growingReport} />
      ))}
    </>
  );
}

function storedTitle(title: string, density: number): string {
  return density === 1 ? title : `${title}, ${densityText(density)} left`;
}

interface DecodeResultProps {
  readonly report: DecodeReport;
  /** its run is in progress */
  readonly isGrowing: boolean;
}

/** A report of decoded tokens, by context. Without times if a stage is wrong; a software adapter ran tiny sizes. */
export function DecodeResult({ report, isGrowing }: DecodeResultProps) {
  const { model, format, density, environment, createdAt, runs, unfinished } = report;
  const titleOf = useTitleOf();
  const title = titleOf(format);
  const wrongStages = failedStages(report);
  const isTimed = wrongStages.length === 0 && runs.some(({ msPerToken }) => msPerToken !== null);
  const dispatchKinds = [...new Set(runs.flatMap(({ times }) => Object.keys(times?.kinds ?? {})))];
  const name = `decode-${model.name}-${format}-${density}`.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
  return (
    <div className="text-13 mt-3 [&_.text-button+.text-button]:ms-3">
      <p>
        <b style={{ color: cssTextColorOf(format) }}>{storedTitle(title, density)}</b> {model.name}
        {environment.isFallback && ', tiny'}, {adapterName(environment)}, {dayText(createdAt)}
        {environment.isFallback && ': software, not timed'}
      </p>
      {runs.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
        <section className="overflow-x-auto" tabIndex={0} aria-label={`${model.name} in ${title}, whole tokens`}>
          <table className="shapes-table cells-end text-12 w-full">
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
                  <Line title="p10 to p90" runs={runs} text={spreadText} />
                  {dispatchKinds.map((kind) => (
                    <Line key={kind} title={kind} runs={runs} text={(run) => kindText(run, kind)} />
                  ))}
                  <Line title="bytes a token" runs={runs} text={(run) => gigabytes(run.bytesPerToken)} />
                  <Line title="bytes per second" runs={runs} text={rateText} />
                </>
              )}
              <Line title="stages right" runs={runs} text={stagesText} />
            </tbody>
          </table>
        </section>
      )}
      {wrongStages.length > 0 && <p className="text-danger mt-2">{wrongText(wrongStages)}</p>}
      <p className="text-muted text-12 text-pretty mt-2">
        {decodeNote(report, isTimed)}
        {unfinished !== undefined && <b>{unfinished} </b>}
        {!isGrowing && (
          <>
            <TextButton
              onClick={() => saveText(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`, 'application/json')}
            >
              save JSON
            </TextButton>{' '}
            <TextButton onClick={() => void decodeReports().remove(report)}>remove</TextButton>
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
        <td key={run.context} className={strong ? 'font-semibold' : undefined}>
          {text(run)}
        </td>
      ))}
    </tr>
  );
}
