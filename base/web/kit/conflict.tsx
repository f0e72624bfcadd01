// Somebody else saved first: both versions side by side, and nothing is overwritten unseen.
import type { Form, Values } from './use-form';
import { words } from './format';
import { t } from './i18n';
import { shown } from './shown';
import { useRead } from './query';
import { Button, Dialog, Loaded } from './ui';

interface ConflictProps {
  form: Form;
  saved: Values;
  read: () => Promise<Values>;
  keep: (theirs: Values) => void;
  take: () => void;
}
export function Conflict({ form, saved, read, keep, take }: ConflictProps) {
  const theirs = useRead(`conflict/${saved.id}/${saved.row_version}/${Date.now() >> 14}`, read);
  return (
    <Dialog title={t('Somebody else saved this meanwhile')} wide onClose={form.clear_conflict}>
      <p>{t('Compare what you typed with what is stored now, then choose. Fields that you did not change stay as they are stored.')}</p>
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
                  .filter((name) => name in form.changes || (JSON.stringify(now[name]) !== JSON.stringify(saved[name]) && !/^(row_version|updated_at|updated_by|version)/.test(name)))
                  .map((name) => (
                    <tr key={name}>
                      <th scope="row">{words(name)}</th>
                      <td>{shown(name, saved[name], saved)}</td>
                      <td>{name in form.changes ? <b>{shown(name, form.changes[name], saved)}</b> : ''}</td>
                      <td>{shown(name, now[name], now)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
            <p class="svc-actions">
              <Button onClick={take}>{t('Take what is stored')}</Button>
              <Button kind="primary" onClick={() => keep(now)}>
                {t('Save mine over it')}
              </Button>
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
