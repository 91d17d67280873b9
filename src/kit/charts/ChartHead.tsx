import './charts.css';

/** The title of a chart with what its marks mean. */
export function ChartHead({ title, caption }: { readonly title: string; readonly caption: string }) {
  return (
    <div className="section-head">
      <h2>
        {title} <span className="chart-caption">{caption}</span>
      </h2>
    </div>
  );
}
