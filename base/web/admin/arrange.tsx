// The order of a kind of record, as visitors see them: moved, then saved as a whole.
import { useState } from 'preact/hooks';

import { json } from '../kit/client';
import { t } from '../kit/i18n';
import { name_of } from '../kit/pickers';
import { changed, useRead } from '../kit/query';
import { Sortable } from '../kit/sortable';
import { Button, Empty, Loaded, Notice, Status, failed, toast } from '../kit/ui';

type Row = Record<string, any>;
const pages = 5; // of a hundred

async function all_of(path: string): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  let total = 0;
  for (let page = 1; page <= pages; page += 1) {
    const found = await json<Row[]>('get', path, {
      params: { per_page: 100, page, orderby: 'display_order', order: 'asc' },
    });
    rows.push(...found.data);
    total = found.meta.total;
    if (page >= (found.meta.total_pages ?? 1)) break;
  }
  return { rows, total };
}

export default function Arrange({ path, empty }: { path: string; empty: string }) {
  const read = useRead(`${path}?arrange`, () => all_of(path));
  const [order, setOrder] = useState<Row[] | null>(null); // null: as it is stored
  const save = (rows: Row[]) =>
    json('post', `${path}/orders`, {
      body: { orders: rows.map((one, at) => ({ id: one.id, display_order: at + 1 })) },
    }).then(async () => {
      await changed(path);
      setOrder(null);
      toast(t('The order is saved.'));
    }, failed);
  return (
    <Loaded read={read} rows={8}>
      {({ rows, total }) =>
        rows.length ? (
          <>
            {total > rows.length && (
              <Notice kind="info">
                {t('The first {0} of {1} are shown; the list has them all.', rows.length, total)}
              </Notice>
            )}
            <Sortable rows={order ?? rows} put={setOrder} key_of={(one) => one.id} called={(one) => name_of(one)}>
              {(one) => (
                <>
                  <b>{name_of(one)}</b>
                  {one.status !== 'publish' && <Status value={one.status} />}
                </>
              )}
            </Sortable>
            {order && (
              <div class="svc-savebar" role="region" aria-label={t('Unsaved changes')}>
                <span>{t('The order is changed.')}</span>
                <Button onClick={() => setOrder(null)}>{t('Discard')}</Button>
                <Button kind="primary" onClick={() => save(order)}>
                  {t('Save')}
                </Button>
              </div>
            )}
          </>
        ) : (
          <Empty>{empty}</Empty>
        )
      }
    </Loaded>
  );
}
