// Charts as plain SVG, each with the table it is drawn from: a chart is looked at, a table is read and copied.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface Point {
  label: string;
  value: number;
  said: string; // the value as it is written
}

const width = 1000;
const height = 200;
const left = 8;

// A tidy number at or above the largest value: 1, 2 or 5 by a power of ten.
export function ceiling(largest: number): number {
  if (!(largest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 5, 10].map((step) => step * power).find((one) => one >= largest) ?? largest;
}

// Bars in time, one a point; below zero they hang from the line.
export function TimeBars({ points, title, axis }: { points: Point[]; title: string; axis: (value: number) => string }) {
  const id = useId();
  const most = ceiling(Math.max(0, ...points.map((one) => one.value)));
  const least = Math.min(0, ...points.map((one) => one.value));
  const bottom = least < 0 ? ceiling(-least) : 0;
  const scale = height / (most + bottom);
  const zero = most * scale;
  const step = (width - left) / Math.max(1, points.length);
  const each = Math.max(1, Math.ceil(points.length / 8)); // every so many points has its label
  return (
    <svg class="svc-chart" viewBox={`0 0 ${width} ${height + 28}`} role="img" aria-labelledby={id}>
      <title id={id}>{title}</title>
      {[most, most / 2].map((line) => (
        <g key={line}>
          <line class="svc-grid" x1={left} x2={width} y1={zero - line * scale} y2={zero - line * scale} />
          <text x={left} y={zero - line * scale + 12}>
            {axis(line)}
          </text>
        </g>
      ))}
      <line class="svc-axis" x1={left} x2={width} y1={zero} y2={zero} />
      {points.map((one, at) => {
        const size = Math.abs(one.value) * scale;
        return (
          <g key={at}>
            <rect
              class={one.value < 0 ? 'svc-below' : ''}
              x={left + at * step + step * 0.15}
              width={Math.max(1, step * 0.7)}
              y={one.value < 0 ? zero : zero - size}
              height={size}
            >
              <title>{`${one.label}: ${one.said}`}</title>
            </rect>
            {at % each === 0 && (
              <text x={left + at * step + step * 0.15} y={height + 20}>
                {one.label}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

export interface RankColumn {
  key: string;
  label: string;
  show: (row: Record<string, any>) => ComponentChildren;
  end?: boolean;
}
// Rows with a bar behind the first one's share of the largest: a ranking is a table, and the table its chart.
export function Ranking({
  rows,
  columns,
  by,
  name,
}: {
  rows: Record<string, any>[];
  columns: RankColumn[];
  by: (row: Record<string, any>) => number;
  name: string;
}) {
  const most = Math.max(1, ...rows.map((row) => Math.abs(by(row))));
  return (
    <div class="svc-scroll" tabIndex={0} role="region" aria-label={name}>
      <table class="svc-table svc-ranking">
        <thead>
          <tr>
            {columns.map((one) => (
              <th key={one.key} class={one.end ? 'svc-end' : ''}>
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((one, index) => (
                <td key={one.key} class={one.end ? 'svc-end' : ''}>
                  {one.show(row)}
                  {index === 0 && (
                    <meter min={0} max={100} value={Math.round((Math.abs(by(row)) / most) * 100)} aria-hidden />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
