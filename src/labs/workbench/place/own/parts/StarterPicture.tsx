import type { Mark } from '../starter-figure.ts';

const WIDTH = 120;
const HEIGHT = 56;

/** What a starter stores of the little matrix, drawn from what its functions do with it. */
export function StarterPicture({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <svg
      className="own-starter-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      {marks.map(({ tone, path }) => (
        <path key={tone} d={path} className={`own-ink own-ink--${tone}`} />
      ))}
    </svg>
  );
}
