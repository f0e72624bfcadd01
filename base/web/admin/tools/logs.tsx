// What the program logged, by type and level.
import { useState } from 'preact/hooks';

import { json } from '../../kit/client';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { operation } from '../../kit/interface';
import { List, type Row } from '../../kit/list';
import { Facts } from '../../kit/page';
import { changed } from '../../kit/query';
import { Ago, Button, Confirm, Dialog, Empty, Status, toast } from '../../kit/ui';

const types: Record<string, string> = {
  error: t('Errors'),
  payment: t('Payments'),
  booking: t('Bookings'),
  system: t('System'),
  all: t('All'),
};

function Line({ row, close }: { row: Row; close: () => void }) {
  return (
    <Dialog title={row.event} sheet onClose={close}>
      <Facts
        rows={[
          [t('When'), <Ago at={row.created_at} />],
          [t('Type'), words(row.type)],
          [t('Level'), <Status value={row.level} />],
          [t('Message'), row.message],
          ...Object.entries(row.context ?? {}).map(([name, value]): [string, string] => [
            name,
            typeof value === 'object' ? JSON.stringify(value) : String(value),
          ]),
        ]}
      />
    </Dialog>
  );
}

export function Logs() {
  const [clearing, setClearing] = useState('');
  const list = operation('get', '/tools/logs');
  if (!list) return null;
  return (
    <>
      <List
        path="/tools/logs"
        list={list}
        columns={[
          { key: 'created_at', label: t('When') },
          { key: 'level', show: (row) => <Status value={row.level} /> },
          { key: 'type', show: (row) => words(row.type) },
          { key: 'event', show: (row) => <span class="svc-mono">{row.event}</span> },
          { key: 'message' },
        ]}
        filters={['type', 'level', 'from', 'to']}
        look={(row, close) => <Line row={row} close={close} />}
        empty={<Empty>{t('Nothing is logged.')}</Empty>}
        search={t('Text of a line')}
      />
      <p class="svc-actions">
        <label class="svc-filter">
          <span>{t('Clear')}</span>
          <select value="" onChange={(event) => setClearing(event.currentTarget.value)}>
            <option value="">{t('Choose')}</option>
            {Object.entries(types).map(([name, said]) => (
              <option key={name} value={name}>
                {said}
              </option>
            ))}
          </select>
        </label>
        <Button kind="quiet" onClick={() => changed('/tools/logs')}>
          {t('Read anew')}
        </Button>
      </p>
      {clearing && (
        <Confirm
          title={t('Clear the list: {0}?', types[clearing])}
          action={t('Clear')}
          danger
          onClose={() => setClearing('')}
          run={async () => {
            const { data } = await json<{ cleared_count: number }>('delete', '/tools/logs', {
              params: { type: clearing },
            });
            changed('/tools/logs');
            toast(t('{0} lines are cleared.', data.cleared_count));
          }}
        >
          <p>{t("The program's own log keeps them.")}</p>
        </Confirm>
      )}
    </>
  );
}
