/** The frame of the first visit while its code is on its way: what index.html shows before. */
export function VisitFrame() {
  return (
    <main className="visit-frame w-full" aria-busy="true">
      <div className="skeleton-line h-3" />
      <div className="skeleton-line skeleton-line--short h-3" />
      <div className="skeleton-picture" />
      <div className="skeleton-bar round-4 cell-ground" />
      <div className="skeleton-bar round-4 cell-ground" />
    </main>
  );
}
