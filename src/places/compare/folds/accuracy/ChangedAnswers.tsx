import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../../core/story/words.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { useShell } from '../../../../kit/frame/shell-context.ts';
import { changedAnswers, linesOf, nearest, type Run } from './figures.ts';
import { paintCells } from './paint-cells.ts';
import { pruningText, type Way } from './plan.ts';
import { EDGE } from './drawing.ts';
import type { explore } from '../../service/service.ts';

export interface ChangedAnswersProps {
  readonly runs: readonly Run[];
  readonly whole: Run | null;
  readonly at: number;
  /** the way of pruning that every format runs with */
  readonly way: Way | undefined;
  readonly titleOf: (format: string) => string;
  /** sends an image through the layers */
  readonly onPick: (image: number) => void;
}

/** As many as fit into two rows. */
const SHOWN = 10;

/** Test images to which the smallest network near the cursor gives another answer than the whole one. */
export function ChangedAnswers({ runs, whole, at, way, titleOf, onPick }: ChangedAnswersProps) {
  const near = nearest(
    linesOf(runs).filter((line) => line.way === way && line.way !== null),
    at,
  );
  const smallest = near.reduce<Run | null>(
    (best, run) => (best === null || run.outcome.bytes < best.outcome.bytes ? run : best),
    null,
  );
  if (smallest === null || whole === null) return null;
  const changed = changedAnswers(smallest, whole);
  const { choice, valueType, outcome } = smallest;
  const name = `${titleOf(choice.format)} ${valueType}, ${pruningText(choice.pruning)}`;
  return (
    <section aria-label="Changed answers">
      <h4 className="network-sub">
        {`${name}: ${counted(changed.length, 'answer')} of ${counted(outcome.images, 'image')} ${changed.length === 1 ? 'differs' : 'differ'} from the whole network’s`}
      </h4>
      {changed.length > 0 && (
        <ul className="network-changed">
          {changed.slice(0, SHOWN).map(({ image, before, after }) => (
            <li key={image}>
              <button type="button" onClick={() => onPick(image)} title="Show it layer by layer">
                <Thumb image={image} />
                <span className="number">
                  {before} → {after}
                </span>
                <span className="unseen">: image {image}, layer by layer</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A test image, small. */
function Thumb({ image }: { readonly image: number }) {
  const { engine } = useApp();
  const { theme } = useShell();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pixels, setPixels] = useState<Float32Array | null>(null);
  useEffect(() => {
    let isWanted = true;
    engine
      .service<typeof explore>('explore')
      .testImages({}, image, 1)
      .then(
        (images) => {
          if (isWanted) setPixels(images.pixels);
        },
        // Without its picture the image still has its number and its answers.
        () => {},
      );
    return () => {
      isWanted = false;
    };
  }, [engine, image]);
  useEffect(() => {
    if (canvas.current && pixels) paintCells(canvas.current, pixels, EDGE, 1);
  }, [pixels, theme]);
  return <canvas ref={canvas} width={EDGE} height={EDGE} aria-hidden="true" />;
}
