// A form in a dialog: what was refused stands on top, and what was done closes it.
import type { ComponentChildren } from 'preact';

import { t } from './i18n';
import { Button, Dialog } from './ui';
import { type Form, Summary, type Values } from './use-form';

interface FormDialogProps {
  title: string;
  form: Form;
  run: (changes: Values) => Promise<unknown>;
  done?: () => void; // once it went through, before it closes
  onClose: () => void;
  children: ComponentChildren;
  action?: string; // the button's name
  danger?: boolean;
  disabled?: boolean;
  wide?: boolean;
  known?: string[]; // the fields that show their own faults
}
export function FormDialog({ title, form, run, done, onClose, children, action = t('Save'), danger, disabled, wide, known }: FormDialogProps) {
  const submit = () => form.submit(run).then((good) => good && (done?.(), onClose()));
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={form.busy} disabled={disabled} onClick={submit}>{action}</Button>
        </>
      }
    >
      <Summary form={form} known={known} />
      {children}
    </Dialog>
  );
}
