import './examples.css';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { Grid } from '../../kit/primitives/Layout.tsx';
import { shape } from '../../kit/words/quantity.ts';
import { baseOf } from '../../state/index.ts';
import { GalleryThumbnail } from './GalleryThumbnail.tsx';
import { usePictures } from './use-pictures.ts';

interface ExamplesProps {
  readonly onChoose: (id: string) => void;
  readonly onAll: () => void;
}

/** A varied selection of examples; the others are behind 'all'. */
const SHOWN: readonly string[] = [
  'digits-fc2-70',
  'digits-fc1-90',
  'digits-fc2-2-4',
  'digits-activations',
  'planted-blocks',
  'sliding-attention',
  'power-law-graph',
  'convolution-3x3',
  'arrow',
];

/** The longest side of a picture, px. */
const LONGEST = 64;

/** Matrices that come with the page, each with its picture. */
export function Examples({ onChoose, onAll }: ExamplesProps) {
  const { gallery } = useApp();
  const pictures = usePictures();
  const source = useDocument((doc) => baseOf(doc.source));
  if (gallery.length === 0) return null;
  return (
    <section className="chooser-examples line-above py-3 px-6" aria-label="Examples">
      <h2 className="chooser-title flex items-baseline justify-between gap-2 text-ink size-12 line-below mb-1 pb-2">
        Or one matrix
        <button type="button" className="text-button" onClick={onAll}>
          all {gallery.length}
        </button>
      </h2>
      <Grid as="ul" column="6.5rem">
        {SHOWN.flatMap((id) => gallery.filter((entry) => entry.id === id)).map(({ id, name, about, rows, cols }) => (
          <li key={id}>
            <button
              type="button"
              className="chooser-example stack items-start content-start size-12 text-start w-full pointer rounded"
              title={about}
              aria-current={source.kind === 'example' && source.id === id}
              onClick={() => onChoose(id)}
            >
              <span
                className="chooser-thumbnail cell-ground self-end"
                style={{
                  inlineSize: (LONGEST * cols) / Math.max(rows, cols),
                  blockSize: (LONGEST * rows) / Math.max(rows, cols),
                }}
              >
                <GalleryThumbnail picture={pictures.get(id)} />
              </span>
              <span className="chooser-name mt-1 weight-500 leading-13">{name.replace(' %', '\u00a0%')}</span>
              <span className="number faint">{shape(rows, cols)}</span>
            </button>
          </li>
        ))}
      </Grid>
    </section>
  );
}
