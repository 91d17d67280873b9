import type { ReactNode } from 'react';
import { asSentence } from '../../../state/index.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import type { Side } from '../sides.ts';

/** In the place of the stage of a format that cannot store the matrix: why, in one line, and the ways on. */
export function RefusedSide({ of, children }: { readonly of: Side; readonly children: ReactNode }) {
  const { side, format, encoding, story } = of;
  const { session } = useApp();
  const opening = useSession((s) => s.opening !== null);
  const admission = encoding?.kind === 'ready' && !encoding.summary.admission.ok ? encoding.summary.admission : null;
  const reason = admission?.reason ?? (story.kind === 'failed' ? story.reason : null);
  if (reason === null) return null;
  const prune = admission?.prune;
  return (
    <section className="watch-refused" aria-label={`${format.title} cannot store this matrix`}>
      <p>
        <span className="side-letter" data-side={side} aria-hidden="true">
          {side.toUpperCase()}
        </span>{' '}
        <strong style={{ color: cssTextColorOf(format.id) }}>{format.title}</strong> {asSentence(reason)}
      </p>
      <p className="watch-ways">
        {children}
        {prune && (
          <button
            type="button"
            className="button"
            disabled={opening}
            onClick={() => void session.prune({ way: 'n-of-m', ...prune })}
          >
            Prune the matrix to {prune.kept}:{prune.group}
          </button>
        )}
        {!prune && admission?.remedy && <span className="quiet">{admission.remedy}</span>}
      </p>
    </section>
  );
}
