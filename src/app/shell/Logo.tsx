/** Five cells of a 3 × 3 matrix; the one in the accent's colour is the one that the format is about. */
export function Logo() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M1 1h5v5H1zM7.500 7.500h5v5h-5zM1 14h5v5H1zM14 14h5v5h-5z" fill="currentColor" />
      <path d="M14 1h5v5h-5z" fill="var(--accent)" />
    </svg>
  );
}
