// Any route as a dialog: its parameters, its body as a form, its answer.
import { useState } from 'preact/hooks';

import { ApiError, file, json } from '../kit/client';
import { Field } from '../kit/field';
import { Input, SchemaFields } from '../kit/form';
import { Summary, useForm } from '../kit/use-form';
import { words } from '../kit/format';
import { t } from '../kit/i18n';
import { type Operation, fields, kind, label_of, resolved } from '../kit/interface';
import { shown } from '../kit/shown';
import { changed } from '../kit/query';
import { Button, Dialog, Notice, toast } from '../kit/ui';

// An answer in rows, as deep as it goes.
export function Value({ value, name = '', depth = 0 }: { value: any; name?: string; depth?: number }) {
  if (value === null || typeof value !== 'object') return <>{shown(name, value, {})}</>;
  const entries: [string, any][] = Array.isArray(value)
    ? value.map((one, index) => [String(index + 1), one])
    : Object.entries(value);
  if (!entries.length) return <span class="svc-none">–</span>;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return <>{value.join(', ')}</>;
  if (depth > 3) return <code>{JSON.stringify(value).slice(0, 200)}</code>;
  return (
    <dl class="svc-facts svc-deep">
      {entries.slice(0, 60).map(([key, one]) => (
        <div key={key}>
          <dt>{words(key)}</dt>
          <dd>
            <Value value={one} name={key} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ActionProps {
  found: Operation;
  params: Record<string, unknown>;
  title?: string; // else the action's name
  only?: string[]; // of the body's fields
  warning?: string; // what it leads to
  onClose: () => void;
  done?: () => void;
}
export function ActionDialog({ found, params, title, only, warning, onClose, done }: ActionProps) {
  const form = useForm({});
  const [given, setGiven] = useState<Record<string, any>>({});
  const [upload, setUpload] = useState<File | null>(null);
  const [answer, setAnswer] = useState<unknown>(undefined);
  const asked = found.parameters.filter(
    (one) =>
      (one.in === 'path' || one.in === 'query') &&
      !(one.name in params) &&
      one.name !== 'page' &&
      one.name !== 'per_page',
  );
  const has_body = found.body && Object.keys(fields(found.body)).length > 0;
  const is_free = found.body && !has_body && kind(resolved(found.body)) === 'object';
  const is_upload = found.media === 'multipart/form-data';
  const run = async () => {
    const all = { ...params, ...given };
    if (found.is_file) return file(found.path, all);
    let body: unknown = found.method === 'get' ? undefined : is_free ? (form.values.body ?? {}) : form.values;
    if (is_upload) {
      if (!upload) throw new ApiError(400, '', t('Choose a file.'), { file: [t('Choose a file.')] });
      const data = new FormData();
      data.set('file', upload);
      body = data;
    }
    const result = await json(found.method, found.path, { params: all, body });
    setAnswer(result.data ?? null);
    if (found.method !== 'get') {
      changed(`/${found.path.split('/')[1]}`);
      toast(result.message || t('{0}: done.', label_of(found)));
      done?.();
    }
  };
  return (
    <Dialog
      title={title ?? label_of(found)}
      onClose={onClose}
      wide={answer !== undefined}
      footer={
        <>
          <Button onClick={onClose}>{answer === undefined ? t('Back') : t('Close')}</Button>
          <Button
            kind={found.method === 'delete' ? 'danger' : 'primary'}
            busy={form.busy}
            onClick={() => form.submit(run)}
          >
            {found.method === 'get' ? t('Show') : found.method === 'delete' ? t('Delete') : t('Run')}
          </Button>
        </>
      }
    >
      <p>{found.summary}</p>
      {warning && <Notice kind="warn">{warning}</Notice>}
      <Summary form={form} />
      {asked.map((one) => (
        <Input
          key={one.name}
          name={one.name}
          schema={{ ...one.schema, description: one.description }}
          required={one.required}
          value={given[one.name]}
          set={(value) => setGiven({ ...given, [one.name]: value })}
          errors={form.errors}
        />
      ))}
      {is_upload && (
        <Field label={t('File')} errors={form.errors.file} required>
          {({ id }) => (
            <input id={id} type="file" onChange={(event) => setUpload(event.currentTarget.files?.[0] ?? null)} />
          )}
        </Field>
      )}
      {has_body && <SchemaFields schema={found.body!} form={form} only={only} />}
      {is_free && (
        <Input
          name="body"
          label={t('What to send')}
          schema={{ type: 'object' }}
          value={form.values.body}
          set={(value) => form.set('body', value)}
          errors={form.errors}
        />
      )}
      {answer !== undefined && (
        <Notice kind="good">
          <Value value={answer} />
        </Notice>
      )}
    </Dialog>
  );
}
