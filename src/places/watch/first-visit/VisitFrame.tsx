/** The frame of the first visit while its code is on its way: what index.html shows before. */
export function VisitFrame() {
  return (
    <main className="visit-frame" aria-busy="true">
      <div className="skeleton-line" />
      <div className="skeleton-line skeleton-line--short" />
      <div className="skeleton-picture" />
      <div className="skeleton-bar" />
      <div className="skeleton-bar" />
    </main>
  );
}
