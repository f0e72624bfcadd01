// Who gets no marketing: addresses whose owners unsubscribed, and those that staff put on the list.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { api } from '../kit/client';
import { Field } from '../kit/field';
import { FormDialog } from '../kit/form-dialog';
import { moment } from '../kit/format';
import { t } from '../kit/i18n';
import { can, operation } from '../kit/interface';
import { type Column, List, type Row } from '../kit/list';
import { Head } from '../kit/page';
import { changed } from '../kit/query';
import { Button, Confirm, Empty, Notice, toast } from '../kit/ui';
import { useForm } from '../kit/use-form';

export const suppressions_path = '/email-suppressions';

const reasons: Record<string, string> = { unsubscribed: t('Unsubscribed by link'), staff: t('Added by staff') };

function Add({ onClose }: { onClose: () => void }) {
  const form = useForm({ email: '' });
  return (
    <FormDialog
      title={t('Add an address')}
      action={t('Add')}
      form={form}
      run={async () => {
        await api.post('/email-suppressions', null, { email: form.values.email });
        toast(t('This address gets no marketing any more.'));
      }}
      done={() => changed(suppressions_path)}
      onClose={onClose}
      known={['email']}
    >
      <p>{t('E-mails about its bookings still reach it.')}</p>
      <Field label={t('E-mail address')} errors={form.errors.email}>
        {({ id, describedby, invalid }) => (
          <input
            id={id}
            type="email"
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={form.values.email}
            onInput={(event) => form.set('email', event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

// `parts`: the tabs of the screen that this list is one of.
export function Suppressed({ parts }: { parts: ComponentChildren }) {
  const [adds, setAdds] = useState(false);
  const [leaving, setLeaving] = useState<Row | null>(null);
  const columns: Column[] = [
    { key: 'mailbox', label: t('Address'), sort: 'mailbox' },
    { key: 'reason', label: t('Reason'), show: (row) => reasons[row.reason], text: (row) => reasons[row.reason]! },
    { key: 'created_at', label: t('Since'), sort: 'created_at', show: (row) => moment(row.created_at) },
  ];
  if (can('delete', '/email-suppressions/{id}'))
    columns.push({
      key: 'actions',
      label: t('Actions'),
      action: true,
      end: true,
      show: (row) => (
        <Button kind="quiet" aria-label={t('Remove {0}', row.mailbox)} onClick={() => setLeaving(row)}>
          {t('Remove')}
        </Button>
      ),
    });
  return (
    <div class="svc-page">
      <Head title={t('E-mail automation')} sub={t('Who gets no marketing. E-mails about a booking are not stopped.')}>
        <Button kind="primary" onClick={() => setAdds(true)}>
          {t('Add an address')}
        </Button>
      </Head>
      {parts}
      <List
        path={suppressions_path}
        list={operation('get', suppressions_path)!}
        columns={columns}
        search={t('Address')}
        empty={<Empty>{t('Nobody has unsubscribed.')}</Empty>}
      />
      {adds && <Add onClose={() => setAdds(false)} />}
      {leaving && (
        <Confirm
          title={t('Remove {0}?', leaving.mailbox)}
          action={t('Remove')}
          danger
          onClose={() => setLeaving(null)}
          run={async () => {
            await api.remove('/email-suppressions/{id}', { id: leaving.id });
            await changed(suppressions_path);
          }}
        >
          <Notice kind="info">
            {leaving.reason === 'unsubscribed'
              ? t('Its owner unsubscribed. Remove it only where they ask for marketing again.')
              : t('It gets marketing again where its owner agreed to it.')}
          </Notice>
        </Confirm>
      )}
    </div>
  );
}
