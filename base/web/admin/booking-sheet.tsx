// A booking beside its list: what one asks for before opening it.
import { api } from '../kit/client';
import { day, money } from '../kit/format';
import { t } from '../kit/i18n';
import type { Row } from '../kit/list';
import { Facts, Figures } from '../kit/page';
import { useRead } from '../kit/query';
import { Ago, Dialog, Notice, Status } from '../kit/ui';

export default function BookingSheet({ row: listed, close }: { row: Row; close: () => void }) {
  const read = useRead(`/bookings/${listed.id}`, () => api.get('/bookings/{id}', { id: listed.id }));
  const row: Row = { ...listed, ...read.data };
  return (
    <Dialog
      title={row.reference}
      sheet
      onClose={close}
      footer={
        <a class="svc-button svc-primary" href={`/admin/bookings/${row.id}`}>
          {t('Open')}
        </a>
      }
    >
      <p>
        <Status value={row.status} />
      </p>
      {row.needs_attention && (
        <Notice kind="warn">{row.attention_reason || t('This booking needs a decision.')}</Notice>
      )}
      <Figures
        rows={[
          { label: t('Total'), value: money(row.total, row.currency) },
          { label: t('Paid'), value: money(row.amount_paid, row.currency) },
          { label: t('Due'), value: money(row.amount_due, row.currency) },
        ]}
      />
      <Facts
        rows={[
          [t('Customer'), row.customer_name],
          [t('E-mail'), row.customer_email && <a href={`mailto:${row.customer_email}`}>{row.customer_email}</a>],
          [t('Phone'), row.customer_phone && <a href={`tel:${row.customer_phone}`}>{row.customer_phone}</a>],
          [t('Trip'), row.trip_title],
          [t('Travels'), `${day(row.travel_date, 'D j M Y')} ${row.departure_time ?? ''}`],
          [t('Party'), row.travelers_count],
          [t('Wishes'), row.special_requests],
          [t('Note'), row.internal_notes],
          [t('Booked'), <Ago at={row.created_at} />],
        ]}
      />
    </Dialog>
  );
}
