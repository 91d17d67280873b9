// The picture of one load of memory.

import { type PointerEvent, useRef, useState } from 'react';
import { countText } from '../../../../src/core/text/words.ts';
import type { ChartTable } from '../../../../src/kit/charts/chart-csv.ts';
import { ChartFoot } from '../../../../src/kit/charts/ChartFoot.tsx';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { type LanePicture, type PictureLink, WORDS_PER_LINE } from './lane-picture.ts';
import type { ArrayColor } from './recorded-loads.ts';

export interface LaneLinksProps {
  /** name of its saved files */
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly picture: LanePicture;
  readonly color: ArrayColor;
  /** the element at a byte of the array, in words: 'column 12' */
  readonly elementAt: (byte: number, words: number) => string;
}

/** Layout in px: width of the row labels, position and size of lanes, height of the links, height and gap of rows. */
const LABELS_WIDTH = 76;
const LANES_Y = 14;
const LANE_SIZE = 8;
const LINKS_HEIGHT = 56;
const ROW_HEIGHT = 10;
const ROW_GAP = 4;

/**
 * One load as a picture: the lanes of a subgroup, each linked to the words that it requests. A row below is a line of
 * 128 bytes or, in workgroup memory, a turn, which serves one word of every bank.
 */
export function LaneLinks({ id, title, caption, picture, color, elementAt }: LaneLinksProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const width = Math.max(240, useWidth(box));
  const [pointedLane, setPointedLane] = useState<number | null>(null);
  const { lanes, rows, links, space } = picture;
  const plotWidth = width - LABELS_WIDTH - 2;
  const wordWidth = plotWidth / WORDS_PER_LINE;
  const laneX = (lane: number): number => LABELS_WIDTH + ((lane + 0.5) * plotWidth) / lanes;
  const rowY = (row: number): number => LANES_Y + LANE_SIZE + LINKS_HEIGHT + row * (ROW_HEIGHT + ROW_GAP);
  const height = rowY(Math.max(1, rows.length)) + 2;
  const pointedLink = links.find(({ lane }) => lane === pointedLane) ?? null;
  const activeLanes = new Set(links.map(({ lane }) => lane));
  const ticks = Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => lane % 8 === 0 || lane === lanes - 1);
  const onPoint = (event: PointerEvent<SVGSVGElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const lane = Math.floor(((x - LABELS_WIDTH) / plotWidth) * lanes);
    setPointedLane(lane >= 0 && lane < lanes ? lane : null);
  };
  return (
    <figure className="mt-1 mb-4" style={{ '--mark': `var(--${color === 'x' ? 'text' : color})` }}>
      <p className="text-muted text-12 mb-2 leading-[1.4]">
        {pointedLink ? laneText(pointedLink, elementAt) : caption}
      </p>
      <div ref={box}>
        <svg
          ref={drawing}
          className="plot w-full"
          width={width}
          height={height}
          role="img"
          aria-label={`${title}: ${caption}`}
          onPointerMove={onPoint}
          onPointerDown={onPoint}
          onPointerLeave={() => setPointedLane(null)}
        >
          <text className="font-sans" x={0} y={LANES_Y + LANE_SIZE}>
            lanes
          </text>
          {ticks.map((lane) => (
            <text key={lane} x={laneX(lane)} y={LANES_Y - 5} textAnchor="middle">
              {lane}
            </text>
          ))}
          {rows.map(({ at, words }, row) => (
            <g key={at}>
              <text x={LABELS_WIDTH - 8} y={rowY(row) + ROW_HEIGHT - 1} textAnchor="end">
                {space === 'storage' ? countText(at) : `turn ${at}`}
              </text>
              <rect
                className="fill-track opacity-60"
                x={LABELS_WIDTH}
                y={rowY(row)}
                width={plotWidth}
                height={ROW_HEIGHT}
              />
              {words.map((word) => (
                <rect
                  key={word}
                  className="fill-(--mark)"
                  x={LABELS_WIDTH + word * wordWidth + 0.5}
                  y={rowY(row)}
                  width={Math.max(1, wordWidth - 1)}
                  height={ROW_HEIGHT}
                />
              ))}
            </g>
          ))}
          <text className="font-sans" x={0} y={rowY(0) - 8}>
            {space === 'storage' ? 'line at byte' : 'banks'}
          </text>
          {links.map((link) => (
            <path
              key={link.lane}
              className="fill-none stroke-(--mark) opacity-28 data-strong:stroke-2 data-strong:opacity-100"
              data-strong={link.lane === pointedLane ? '' : undefined}
              d={linkPath(laneX(link.lane), LABELS_WIDTH + (link.word + link.words / 2) * wordWidth, rowY(link.row))}
            />
          ))}
          {Array.from({ length: lanes }, (_, lane) => (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- a lane is its number
              key={lane}
              className={activeLanes.has(lane) ? 'fill-(--mark)' : 'fill-none stroke-quiet'}
              x={laneX(lane) - Math.min(LANE_SIZE, plotWidth / lanes - 1) / 2}
              y={LANES_Y}
              width={Math.min(LANE_SIZE, plotWidth / lanes - 1)}
              height={LANE_SIZE}
            />
          ))}
        </svg>
      </div>
      <ChartFoot id={id} heading={{ title, caption }} drawing={drawing} table={() => linkTable(picture, elementAt)} />
    </figure>
  );
}

/** A path from a lane to its word: a curve across, then straight down. */
function linkPath(from: number, to: number, y: number): string {
  const top = LANES_Y + LANE_SIZE;
  const bend = top + LINKS_HEIGHT;
  return `M${from} ${top}C${from} ${top + LINKS_HEIGHT / 2} ${to} ${top + LINKS_HEIGHT / 2} ${to} ${bend}V${y}`;
}

function laneText({ lane, byte, words }: PictureLink, elementAt: LaneLinksProps['elementAt']): string {
  return `Lane ${lane}: bytes ${countText(byte)} to ${countText(byte + 4 * words - 1)}, ${elementAt(byte, words)}.`;
}

function linkTable({ lanes, rows, links, space }: LanePicture, elementAt: LaneLinksProps['elementAt']): ChartTable {
  const linkByLane = new Map(links.map((link) => [link.lane, link]));
  return {
    head: ['lane', 'first byte', 'bytes', space === 'storage' ? 'line at byte' : 'turn', 'stored there'],
    rows: Array.from({ length: lanes }, (_, lane) => {
      const link = linkByLane.get(lane);
      if (!link) return { name: String(lane), cells: ['–', '–', '–', 'loads nothing'] };
      const { byte, words, row } = link;
      return {
        name: String(lane),
        cells: [countText(byte), String(4 * words), countText(rows[row].at), elementAt(byte, words)],
        values: [lane, byte, 4 * words, rows[row].at, elementAt(byte, words)],
      };
    }),
  };
}
