import './first-visit.css';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Device } from '../../../state/devices/device.ts';
import { dayText } from '../../../state/devices/devices.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { recordingsOf } from '../../../kit/devices/recordings-of.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { playOnceReady, watchFormat } from '../watch-format.ts';
import { type VisitFacts, visitFacts, type VisitTimes, visitTimes } from './facts.ts';
import { MovingRow } from './MovingRow.tsx';
import { MAX_COLUMNS } from './picture.ts';
import { afterVisit } from './use-first-visit.ts';
import { endOf, megabytes, pairOf, zerosOf } from './visit-words.ts';

/** What somebody sees who is here for the first time: why this matters, in one picture that moves, and the ways on. */
export function FirstVisit() {
  const { document, formats } = useApp();
  // Whatever changes one of its words ends the visit.
  const facts = useMemo(() => visitFacts(document.getState(), formats, MAX_COLUMNS), [document, formats]);
  return (
    <main className="visit" id="content" tabIndex={-1}>
      {facts && <Visit facts={facts} />}
    </main>
  );
}

/** undefined while nobody knows yet whether there are any. */
function useTimes(facts: VisitFacts): { readonly times: VisitTimes | null | undefined; readonly device: Device } {
  const { session } = useApp();
  const has = useCallback(({ reports }: Device) => visitTimes(reports, facts) !== null, [facts]);
  const shapes = useMemo(() => [shapeKey(facts.shape)], [facts]);
  const { device, problem } = useDevice(has, { shapes });
  const status = useSession((s) => s.device);
  const entries = useStore(recordingsOf(session).store, (recordings) => recordings.entries);
  const times = useMemo(() => visitTimes(device.reports, facts), [device, facts]);
  const isAwaited =
    problem === null && (status === null || entries === null || (device.kind === 'recorded' && !device.changed));
  return { times: times ?? (isAwaited ? undefined : null), device };
}

function Visit({ facts }: { readonly facts: VisitFacts }) {
  const { times, device } = useTimes(facts);
  const { a, b, left } = facts;
  const bytes = `${megabytes(a.bytes)} instead of ${megabytes(b.bytes, true)}`;
  return (
    <section className="visit-content" aria-label="At first sight">
      <h2 className="visit-headline">
        {zerosOf(left)} of this matrix is zeros. {a.format.title} leaves them out: <strong>{bytes}</strong>
        <Ending times={times} />
      </h2>
      <p className="visit-why">
        A language model reads all of its weights again for every word, or piece of a word, that it writes: such a piece
        is a <dfn>token</dfn>. Fewer bytes to read means less time.
      </p>
      <MovingRow facts={facts} times={times}>
        <Ways facts={facts} />
      </MovingRow>
      <Animations />
      <footer className="visit-foot">
        <p>
          {times && `Times: measured on ${whereOf(device, times)}, on a random matrix of this shape. `}
          Weights: random ones of this shape stand in until the model’s file is opened.
        </p>
        {times && <Measured />}
      </footer>
    </section>
  );
}

function whereOf(device: Device, { report }: VisitTimes): string {
  return device.recorded
    ? `${device.name}, ${dayText(device.recorded.date)}`
    : `${device.kind === 'this' ? 'this GPU' : device.name}, ${dayText(report.createdAt)}`;
}

/** ', so the GPU is done with it in 23.9 µs instead of 30.1.'; its room is kept while times are on their way. */
function Ending({ times }: { readonly times: VisitTimes | null | undefined }) {
  if (times === null) return <>, which the GPU reads again for every word.</>;
  if (times === undefined)
    return (
      <>
        , so the GPU is done with it in <span className="visit-awaited" role="img" aria-label="a time that is loaded" />
      </>
    );
  return (
    <>
      , {endOf(times)} <strong>{pairOf(times.a, times.b)}</strong>.
    </>
  );
}

function Measured() {
  const { session } = useApp();
  return (
    <button type="button" className="text-button" onClick={() => session.follow('runs')}>
      › how this was measured
    </button>
  );
}

/** The ways on from here, and what the matrix takes without being pruned. */
function Ways({ facts: { unpruned } }: { readonly facts: VisitFacts }) {
  const app = useApp();
  const { session, document } = app;
  const { run } = useShell();
  const hasGpu = useSession((s) => s.device?.kind === 'ready' && !s.device.environment.isFallback);
  return (
    <>
      <button
        type="button"
        className="button button--solid visit-way"
        onClick={() => {
          document.setState(afterVisit(document.getState()));
          playOnceReady(app);
        }}
      >
        <Icon name="play" />
        Watch how
      </button>
      <button type="button" className="button visit-way" onClick={() => session.follow('lessons')}>
        Learn from the start
      </button>
      {hasGpu && (
        <button type="button" className="button visit-way" onClick={run}>
          Time it on this GPU
        </button>
      )}
      {unpruned && (
        <p className="visit-unpruned">
          Without pruning, in {unpruned.bits} bits, it takes {megabytes(unpruned.bytes)}:{' '}
          <button type="button" className="text-button" onClick={() => session.follow('formats')}>
            compare all formats
          </button>
        </p>
      )}
    </>
  );
}

/** The animations by their papers' names, and a matrix of one's own. */
function Animations() {
  const app = useApp();
  const { openChooser } = useShell();
  return (
    <div className="visit-more">
      <span id="visit-more">Or watch how</span>
      <ul aria-labelledby="visit-more">
        {app.formats.flatMap((format) =>
          format.headline ? (
            <li key={format.id}>
              <button type="button" className="button" onClick={() => void watchFormat(app, format)}>
                <Swatch format={format.id} />
                <span>
                  <b>{format.headline.name}</b> {format.headline.does}
                </span>
              </button>
            </li>
          ) : (
            []
          ),
        )}
      </ul>
      <div className="visit-own">
        <button type="button" className="button" onClick={() => openChooser()}>
          Open a matrix
        </button>
        <button type="button" className="button" onClick={() => openChooser('generate')}>
          Generate one
        </button>
      </div>
    </div>
  );
}
