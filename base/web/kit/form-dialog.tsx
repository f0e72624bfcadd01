// A form in a dialog: what was refused stands on top, and what was done closes it.
import type { ComponentChildren } from 'preact';

import { Conflict } from './conflict';
import { t } from './i18n';
import { Button, Dialog, Notice } from './ui';
import { type Form, Summary, type Values, versioned } from './use-form';

// What a form began with and what is stored now: without a version that the server compares, that is read before a write.
export interface Compare {
  saved: Values;
  read: () => Promise<Values>;
}
interface FormDialogProps {
  title: string;
  form: Form;
  run: (changes: Values, row_version?: number) => Promise<unknown>; // the version is that which was compared with
  done?: () => void; // once it went through, before it closes
  then?: () => void; // once it went through, in place of closing
  onClose: () => void;
  children: ComponentChildren;
  action?: string; // the button's name
  danger?: boolean;
  disabled?: boolean;
  wide?: boolean;
  known?: string[]; // the fields that show their own faults
  compare?: Compare; // where somebody else saved first; else that is said
}
export function FormDialog({
  title,
  form,
  run,
  done,
  onClose,
  then = onClose,
  children,
  action = t('Save'),
  danger,
  disabled,
  wide,
  known,
  compare,
}: FormDialogProps) {
  const write = (changes: Values, row_version?: number) =>
    compare
      ? versioned(() => run(changes, row_version), row_version ?? compare.saved.row_version, compare.read)
      : run(changes, row_version);
  const first = compare && compare.saved.row_version === undefined ? compare.read : undefined;
  const submit = (row_version?: number) =>
    form
      .submit((changes, now) => write(changes, row_version ?? now?.row_version), first)
      .then((good) => good && (done?.(), then()));
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={form.busy} disabled={disabled} onClick={() => submit()}>
            {action}
          </Button>
        </>
      }
    >
      <Summary form={form} known={known} />
      {form.conflict && !compare && <Notice kind="bad">{form.conflict.message}</Notice>}
      {children}
      {form.conflict && compare && (
        <Conflict
          form={form}
          saved={compare.saved}
          read={compare.read}
          keep={(now) => void submit(now.row_version)}
          take={() => (done?.(), onClose())}
        />
      )}
    </Dialog>
  );
}
