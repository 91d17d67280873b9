import { useEffect, useRef, useState } from 'react';
import type { MatrixSummary, SpyTile } from '../../../engine/matrix/types.ts';
import { useApp } from '../../../kit/app-context.ts';

/** Side length in pixels. */
const SIZE = 72;

/** The non-zeros of the whole matrix as a thumbnail: the darker, the more. */
export function Thumbnail({ summary }: { readonly summary: MatrixSummary }) {
  const { session } = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tile, setTile] = useState<SpyTile | null>(null);
  const { generation, rows, cols } = summary;
  useEffect(() => {
    if (rows === 0 || cols === 0) return;
    let isWanted = true;
    void session.spy({ region: { row: 0, col: 0, rows, cols }, width: SIZE, height: SIZE }).then((found) => {
      if (isWanted) setTile(found);
    });
    return () => {
      isWanted = false;
    };
  }, [session, generation, rows, cols]);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !tile || tile.generation !== generation) return;
    const { width, height, buckets, kind } = tile;
    const image = context.createImageData(width, height);
    const [red, green, blue] = inkOf(getComputedStyle(context.canvas).color);
    let most = 0;
    for (const value of buckets) most = Math.max(most, shareOf(value, kind));
    for (let i = 0; i < buckets.length; i++) {
      const share = most === 0 ? 0 : shareOf(buckets[i], kind) / most;
      image.data.set([red, green, blue, 255 * share], 4 * i);
    }
    context.canvas.width = width;
    context.canvas.height = height;
    context.putImageData(image, 0, 0);
  }, [tile, generation]);
  return <canvas ref={canvas} className="compare-thumbnail" width={SIZE} height={SIZE} aria-hidden="true" />;
}

function shareOf(value: number, kind: SpyTile['kind']): number {
  if (kind === 'density') return value;
  return value === 0 ? 0 : 1;
}

/** Red, green and blue of a computed colour. */
function inkOf(color: string): readonly number[] {
  return (color.match(/[\d.]+/g) ?? ['0', '0', '0']).slice(0, 3).map(Number);
}
