// How an icon of lucide is drawn; build.mjs puts this in the place of lucide's own, which takes 1 kB for options that
// nothing here uses.
import { type JSX, h } from 'preact';

interface Drawing {
  node: [string, Record<string, string>][];
}
export default function create_icon({ node }: Drawing) {
  return ({ size = 24, ...rest }: JSX.IntrinsicElements['svg'] & { size?: number }) =>
    h(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': 2,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
        ...rest,
      } as object,
      node.map(([tag, attributes]) => h(tag, attributes)),
    );
}
