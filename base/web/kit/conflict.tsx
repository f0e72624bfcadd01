// Somebody else saved first: both versions side by side, and nothing is overwritten unseen.
import { useState } from 'preact/hooks';

import type { Form, Values } from './use-form';
import { words } from './format';
import { t } from './i18n';
import { shown } from './shown';
import { useRead } from './query';
import { Button, Dialog, Loaded } from './ui';

interface ConflictProps {
  form: Form;
  read: () => Promise<Values>;
  keep: (theirs: Values) => void;
  take: () => void;
  saved?: Values; // where the form holds something else than the record
  name?: (field: string) => string;
}
export function Conflict({ form, saved, read, keep, take, name: named = words }: ConflictProps) {
  const [key] = useState(() => `conflict/${Math.random()}`); // what is stored now, not what another conflict has read
  const theirs = useRead(key, read);
  const before: Values = { ...saved, ...form.before };
  return (
    <Dialog title={t('Somebody else saved this meanwhile')} wide onClose={form.clear_conflict}>
      <p>
        {t(
          'Compare what you typed with what is stored now, then choose. Fields that you did not change stay as they are stored.',
        )}
      </p>
      <Loaded read={theirs}>
        {(now) => (
          <>
            <table class="svc-table">
              <thead>
                <tr>
                  <th>{t('Field')}</th>
                  <th>{t('Before')}</th>
                  <th>{t('Yours')}</th>
                  <th>{t('Stored now')}</th>
                </tr>
              </thead>
              <tbody>
                {Object.keys({ ...form.changes, ...now })
                  .filter(
                    (name) =>
                      name in form.changes ||
                      (JSON.stringify(now[name]) !== JSON.stringify(before[name]) &&
                        !/^(row_version|updated_at|updated_by|version)/.test(name)),
                  )
                  .map((name) => (
                    <tr key={name}>
                      <th scope="row">{named(name)}</th>
                      <td>{shown(name, before[name], before)}</td>
                      <td>{name in form.changes ? <b>{shown(name, form.changes[name], before)}</b> : ''}</td>
                      <td>{shown(name, now[name], now)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
            <p class="svc-actions">
              <Button onClick={take}>{t('Take what is stored')}</Button>
              <Button kind="primary" onClick={() => (form.compared(), keep(now))}>
                {t('Save mine over it')}
              </Button>
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
