import { useEffect, useState } from 'react';
import { countText } from '../../core/text/words.ts';
import { type GalleryPicture, GALLERY_PICTURES_PATH, parsePictures } from '../../io/gallery-pictures.ts';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { TextButton } from '../../kit/controls/Button.tsx';
import { shadePaths } from '../../kit/matrix/shade-paths.ts';
import { Drawer } from '../../kit/primitives/Boxes.tsx';
import { Problem } from '../../kit/primitives/Text.tsx';
import { shape } from '../../kit/words/quantity.ts';
import { densityText } from '../../kit/words/shares.ts';
import { baseOf } from '../../state/index.ts';

/** Ids of the examples that are shown at first; 'all' lists the others too. */
const FIRST_EXAMPLES: readonly string[] = [
  'digits-fc2-70',
  'digits-activations',
  'planted-blocks',
  'sliding-attention',
  'arrow',
];

/** The longest side of a picture, px. */
const MAX_SIDE_PX = 64;

/** Below the columns of the matrix picker: some matrices that come with the page, each with its picture. */
export function Examples({ onChoose, onAll }: { readonly onChoose: (id: string) => void; readonly onAll: () => void }) {
  const { gallery } = useApp();
  const pictures = usePictures();
  const source = useDocument((doc) => baseOf(doc.source));
  if (gallery.length === 0) return null;
  return (
    <section className="border-t border-hairline py-3 px-6" aria-label="Examples">
      <h2 className="flex items-baseline justify-between gap-2 text-ink text-12 pb-2">
        Or one matrix
        <TextButton onClick={onAll}>all {gallery.length}</TextButton>
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(6.5rem,100%),1fr))] gap-3">
        {FIRST_EXAMPLES.flatMap((id) => gallery.filter((entry) => entry.id === id)).map(
          ({ id, name, about, rows, cols }) => (
            <li key={id}>
              <button
                type="button"
                className="group grid grid-rows-[4.25rem_auto_auto] items-start content-start pb-1 text-12 text-start w-full cursor-pointer rounded-md"
                title={about}
                aria-current={source.kind === 'example' && source.id === id}
                onClick={() => onChoose(id)}
              >
                <span
                  className="picker-thumbnail bg-cell text-values self-end"
                  style={{
                    inlineSize: (MAX_SIDE_PX * cols) / Math.max(rows, cols),
                    blockSize: (MAX_SIDE_PX * rows) / Math.max(rows, cols),
                  }}
                >
                  <GalleryThumbnail picture={pictures.get(id)} />
                </span>
                <span className="mt-1 font-medium leading-[1.3] underline-offset-[0.2em] group-hover:underline group-aria-[current=true]:underline">
                  {name.replace(' %', '\u00a0%')}
                </span>
                <span className="number text-quiet">{shape(rows, cols)}</span>
              </button>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** All matrices that come with the page, each with its origin. */
export function Gallery({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { gallery, formats } = useApp();
  const pictures = usePictures();
  const source = useDocument((doc) => baseOf(doc.source));
  if (gallery.length === 0) return <Problem>The gallery could not be read.</Problem>;
  return (
    <ul className="grid">
      {gallery.map((entry) => (
        <li key={entry.id} className="pb-2 not-first:pt-1 not-first:border-t border-hairline">
          <button
            type="button"
            className="grid grid-cols-[3rem_1fr_auto] gap-x-3 text-start cursor-pointer rounded-md w-[calc(100%+1.5rem)] -mx-3 px-3 py-2 hover:bg-sunken aria-[current=true]:bg-sunken aria-[current=true]:shadow-[inset_2px_0_var(--accent)]"
            aria-current={source.kind === 'example' && source.id === entry.id}
            onClick={() => onChoose(entry.id)}
          >
            <GalleryThumbnail picture={pictures.get(entry.id)} />
            <span className="font-medium">{entry.name}</span>
            <span className="number text-muted text-end">{shape(entry.rows, entry.cols)}</span>
            <span className="text-muted text-12">
              {entry.about}
              <BestFor titles={formats.filter((f) => f.bestExample.id === entry.id).map((f) => f.title)} />
            </span>
            <span className="number text-muted text-end">
              {entry.nnz < entry.rows * entry.cols && entry.rows * entry.cols > 0
                ? `${densityText(entry.nnz / (entry.rows * entry.cols))} left`
                : countText(entry.nnz)}
            </span>
          </button>
          <Drawer description="where it comes from">
            <p className="text-muted text-12 wrap-anywhere">
              {entry.provenance} Licence: {entry.licence}.
            </p>
          </Drawer>
        </li>
      ))}
    </ul>
  );
}

/** A text that names the formats for which an entry is the best example. */
function BestFor({ titles }: { readonly titles: readonly string[] }) {
  if (titles.length === 0) return null;
  return <span className="text-ink"> Shows {titles.join(' and ')} best.</span>;
}

/** The picture of a gallery entry: darker where more cells are non-zero. Hidden from screen readers. */
function GalleryThumbnail({ picture }: { readonly picture: GalleryPicture | undefined }) {
  // Drawn in the text colour around it.
  const className =
    'row-[1/3] size-12 self-center fill-current [shape-rendering:crispEdges] in-[.picker-thumbnail]:size-full';
  if (!picture) return <span className={className} />;
  const { width, height, fullness } = picture;
  return (
    <svg className={className} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {shadePaths(width, height, (i) => Number.parseInt(fullness[i], 16)).map(({ shade, path }) => (
        <path key={shade} d={path} fillOpacity={shade / 15} />
      ))}
    </svg>
  );
}

/** The pictures of all entries, loaded when the gallery is first shown; empty if they cannot be loaded. */
function usePictures(): ReadonlyMap<string, GalleryPicture> {
  const [pictures, setPictures] = useState<ReadonlyMap<string, GalleryPicture>>(new Map());
  useEffect(() => {
    const leave = new AbortController();
    fetch(new URL(GALLERY_PICTURES_PATH, document.baseURI), { signal: leave.signal })
      .then(async (response) => {
        if (response.ok) setPictures(parsePictures(await response.json()));
      })
      // Without pictures, names and descriptions suffice.
      .catch(() => {});
    return () => leave.abort();
  }, []);
  return pictures;
}
