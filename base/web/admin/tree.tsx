// Records as a tree, with the number of their trips and a button for a new child.
import { Plus } from 'lucide-preact';

import { json } from '../kit/client';
import { t } from '../kit/i18n';
import { type Resource } from '../kit/interface';
import { Thumb } from '../kit/media';
import { useRead } from '../kit/query';
import { Empty, Loaded, Notice, Status } from '../kit/ui';

type Node = Record<string, any>;
const pages = 5; // of a hundred

async function all_of(path: string): Promise<{ rows: Node[]; total: number }> {
  const rows: Node[] = [];
  let total = 0;
  for (let page = 1; page <= pages; page += 1) {
    const found = await json<Node[]>('get', path, { params: { per_page: 100, page } });
    rows.push(...found.data);
    total = found.meta.total;
    if (page >= (found.meta.total_pages ?? 1)) break;
  }
  return { rows, total };
}

function Branch({
  nodes,
  below,
  path,
  adds,
}: {
  nodes: Node[];
  below: Map<number, Node[]>;
  path: string;
  adds: boolean;
}) {
  return (
    <ul class="svc-rows">
      {nodes.map((one) => {
        const inner = below.get(one.id) ?? [];
        const name = one.name ?? one.label;
        return (
          <li key={one.id} class={inner.length ? 'svc-branch' : ''}>
            <a href={`/admin${path}/${one.id}`}>
              {one.featured_image ? <Thumb id={one.featured_image} alt="" /> : null}
              <b>{name}</b>
              <span>{t('{0, plural, one {# trip} other {# trips}}', one.trip_count ?? 0)}</span>
              {one.status !== 'publish' && <Status value={one.status} />}
            </a>
            {adds && (
              <a
                class="svc-button svc-quiet"
                href={`/admin${path}/new?parent_id=${one.id}`}
                aria-label={t('New below {0}', name)}
                title={t('New below {0}', name)}
              >
                <Plus size={16} aria-hidden />
              </a>
            )}
            {inner.length > 0 && <Branch nodes={inner} below={below} path={path} adds={adds} />}
          </li>
        );
      })}
    </ul>
  );
}

export default function Tree({ found, empty }: { found: Resource; empty: string }) {
  const read = useRead(`${found.path}?tree`, () => all_of(found.path));
  return (
    <Loaded read={read} rows={8}>
      {({ rows, total }) => {
        const known = new Set(rows.map((one) => one.id));
        const below = new Map<number, Node[]>();
        for (const one of rows) {
          const parent = known.has(one.parent_id) ? one.parent_id : 0;
          below.set(parent, [...(below.get(parent) ?? []), one]);
        }
        for (const some of below.values())
          some.sort(
            (a, b) =>
              (a.sorting ?? 0) - (b.sorting ?? 0) || String(a.name ?? a.label).localeCompare(String(b.name ?? b.label)),
          );
        const top = below.get(0) ?? [];
        return (
          <>
            {total > rows.length && (
              <Notice kind="info">
                {t('The first {0} of {1} are shown; the list has them all.', rows.length, total)}
              </Notice>
            )}
            {top.length ? (
              <Branch nodes={top} below={below} path={found.path} adds={!!found.create} />
            ) : (
              <Empty>{empty}</Empty>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
