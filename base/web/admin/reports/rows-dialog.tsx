// The rows that a report's figure was added up from.
import { useState } from 'preact/hooks';

import { api } from '../../kit/client';
import { day, money } from '../../kit/format';
import { t } from '../../kit/i18n';
import { useRead } from '../../kit/query';
import { Button, Dialog, Empty, Loaded, Status } from '../../kit/ui';
import type { Asked } from './range';

export interface Figure {
  figure: 'bookings' | 'booked' | 'cancelled' | 'outstanding' | 'payments' | 'refunds' | 'taxes' | 'departures';
  title: string;
  trip_id?: number;
  word?: string;
}

export function RowsDialog({
  asked,
  of,
  currency,
  onClose,
}: {
  asked: Asked;
  of: Figure;
  currency: string;
  onClose: () => void;
}) {
  const [page, setPage] = useState(1);
  const params = {
    from: asked.from,
    to: asked.to,
    basis: asked.basis,
    currency: asked.currency,
    figure: of.figure,
    trip_id: of.trip_id,
    word: of.word,
    page,
    per_page: 50,
  };
  const read = useRead(`/reports/rows?${JSON.stringify(params)}`, () => api.list('/reports/rows', params as never));
  return (
    <Dialog title={of.title} wide onClose={onClose}>
      <Loaded read={read} rows={8}>
        {({ data, meta }) => (
          <>
            <p>
              {t('{0, plural, one {# row} other {# rows}}', data.count ?? 0)}
              {data.amount !== null && data.amount !== undefined && <>, {money(data.amount, currency)}</>}
              {!!data.quantity && of.figure === 'departures' && (
                <>
                  {t(
                    ', {0} booked of {1}',
                    t('{0, plural, one {# seat} other {# seats}}', data.quantity),
                    data.capacity,
                  )}
                </>
              )}
            </p>
            {!(data.rows ?? []).length && <Empty>{t('No rows in these days.')}</Empty>}
            {(data.rows ?? []).length > 0 && (
              <div class="svc-scroll" tabIndex={0} role="region" aria-label={of.title}>
                <table class="svc-table">
                  <thead>
                    <tr>
                      <th>{of.figure === 'departures' ? t('Leaves') : t('Reference')}</th>
                      <th>{t('When')}</th>
                      <th>{t('Trip')}</th>
                      <th>{t('Customer')}</th>
                      <th>{t('State or way')}</th>
                      <th class="svc-end">{of.figure === 'departures' ? t('Seats') : t('Amount')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {(data.rows ?? []).map((row) => (
                      <tr key={`${row.id} ${row.word}`}>
                        <td>
                          {row.booking_id ? (
                            <a class="svc-mono" href={`/admin/bookings/${row.booking_id}`}>
                              {row.reference}
                            </a>
                          ) : (
                            <a href={`/admin/departures/${row.trip_id}/${row.id}`}>{day(row.travel_date)}</a>
                          )}
                        </td>
                        <td>{day(row.date)}</td>
                        <td>{row.trip_title}</td>
                        <td>{row.customer}</td>
                        <td>
                          <Status value={row.word} />
                        </td>
                        <td class="svc-end">
                          {of.figure === 'departures'
                            ? `${row.quantity} / ${row.capacity}`
                            : row.amount === null
                              ? ''
                              : money(row.amount, currency)}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {(meta.total_pages ?? 1) > 1 && (
              <footer class="svc-pages">
                <span>
                  {page} / {meta.total_pages}
                </span>
                <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
                  {t('Back')}
                </Button>
                <Button disabled={page >= meta.total_pages} onClick={() => setPage(page + 1)}>
                  {t('Next')}
                </Button>
              </footer>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
