import type { Mark, Panel, Scene } from '../../story/scene.ts';
import { useApp } from '../app-context.ts';

/** The picture of a step as tables: one per panel, a row for each line of boxes; boxes in focus are outlined. */
export function SceneTables({ scene }: { readonly scene: Scene }) {
  return (
    <div className="scene-tables grid content-start gap-5 pb-6">
      {scene.panels.map((panel) => {
        const lines = linesOf(panel);
        if (lines.length === 0) return null;
        const format = panel.side && scene.sides?.[panel.side].title;
        return <PanelTable key={panel.id} panel={panel} format={format ?? null} lines={lines} />;
      })}
    </div>
  );
}

/** A line of boxes of a panel. */
interface Line {
  readonly y: number;
  readonly label: string;
  readonly marks: readonly Mark[];
}

interface PanelTableProps {
  readonly panel: Panel;
  /** title of its format, in a picture of two formats */
  readonly format: string | null;
  readonly lines: readonly Line[];
}

function PanelTable({ panel, format, lines }: PanelTableProps) {
  const { hover } = useApp();
  // In a picture of two formats, the ids of panels begin with 'a ' or 'b '.
  const panelTitle = panel.title ?? panel.id.slice(panel.side ? 2 : 0);
  const title = format === null ? panelTitle : `${format}: ${panelTitle}`;
  const highlight = (mark: Mark | null) => () => hover.setState({ mark });
  return (
    <div
      className="max-h-72 border border-hairline overflow-auto rounded-md"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
      tabIndex={0}
      role="group"
      aria-label={title}
    >
      <table className="font-mono text-12 tabular-nums">
        <caption className="font-sans font-semibold text-start px-2 pt-2">
          {title}
          {panel.caption !== undefined && <span className="text-quiet"> · {panel.caption}</span>}
        </caption>
        <tbody>
          {lines.map((line) => (
            <tr key={line.y}>
              <th className="text-quiet text-end whitespace-nowrap px-2 py-[2px]" scope="row">
                {line.label}
              </th>
              {line.marks.map((mark) => (
                <td
                  key={mark.id}
                  className="text-end whitespace-nowrap px-2 py-[2px] data-focus:outline-[1.5px] data-focus:-outline-offset-[1.5px]"
                  data-focus={mark.focus || undefined}
                  title={mark.label}
                  onPointerEnter={highlight(mark)}
                  onPointerLeave={highlight(null)}
                >
                  {mark.text ?? mark.label ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The visible boxes of a panel, in lines from top to bottom and from left to right. */
function linesOf(panel: Panel): readonly Line[] {
  const marksByY = new Map<number, Mark[]>();
  for (const mark of panel.marks) {
    if (mark.shape !== 'box' || mark.state === 'ghost') continue;
    if (mark.text === undefined && mark.label === undefined) continue;
    const y = Math.floor(mark.y);
    const line = marksByY.get(y);
    if (line) line.push(mark);
    else marksByY.set(y, [mark]);
  }
  return [...marksByY.entries()]
    .sort(([a], [b]) => a - b)
    .map(([y, marks]) => ({
      y,
      label: panel.rowLabels?.find((label) => Math.floor(label.at) === y)?.text ?? String(y),
      marks: marks.sort((a, b) => a.x - b.x),
    }));
}
