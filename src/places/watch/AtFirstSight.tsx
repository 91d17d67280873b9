import './at-first-sight.css';
import { useApp, useSession } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { Swatch } from '../../kit/controls/Swatch.tsx';
import { useShell } from '../../kit/frame/shell-context.ts';
import { watchFormat } from './watch-format.ts';

/** What there is to do here: the animations by their papers' names, a matrix of one's own, and times on this GPU. */
export function AtFirstSight() {
  const app = useApp();
  const { formats, session } = app;
  const { openChooser, run } = useShell();
  const hasGpu = useSession((s) => s.device?.kind === 'ready' && !s.device.environment.isFallback);
  return (
    <section className="at-first-sight" aria-label="At first sight">
      <p>
        See how formats store the <strong>few weights that are left</strong> of a language model, byte by byte
        {hasGpu ? ', and time them on your own GPU' : ''}.
      </p>
      <ul aria-label="Animations">
        {formats.flatMap((format) =>
          format.headline ? (
            <li key={format.id}>
              <button type="button" className="button" onClick={() => void watchFormat(app, format)}>
                <Icon name="play" />
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
      <div className="at-first-sight-own">
        <button type="button" className="button" onClick={openChooser}>
          Open or generate a matrix
        </button>
        {hasGpu && (
          <button type="button" className="button" onClick={run}>
            Time it on this GPU
          </button>
        )}
        <button type="button" className="text-button" onClick={() => session.follow('lessons')}>
          Learn from the start
        </button>
      </div>
    </section>
  );
}
