// The HTML around the site's pages: seven kinds, each with what was changed and a way back.
import { useState } from 'preact/hooks';

import { api } from '../../kit/client';
import { Field } from '../../kit/field';
import { FormDialog } from '../../kit/form-dialog';
import { t } from '../../kit/i18n';
import { changed, useRead } from '../../kit/query';
import { Button, Confirm, Loaded, Notice, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';
import { useForm } from '../../kit/use-form';

interface Template {
  name: string;
  title: string;
  content: string;
  is_default: boolean;
}

function Editor({ template, onClose }: { template: Template; onClose: () => void }) {
  const form = useForm({ content: template.content });
  const run = async () => {
    await api.put('/site/templates/{name}', { name: template.name } as never, { content: form.values.content });
    toast(t('Saved.'));
  };
  const read = async () => ({
    content: (await api.get('/site/templates', {})).find((one) => one.name === template.name)?.content,
  });
  return (
    <FormDialog
      title={template.title}
      form={form}
      run={run}
      compare={{ saved: {}, read }}
      done={() => changed('/site/templates')}
      onClose={onClose}
      disabled={!form.dirty}
      wide
      known={['content']}
    >
      <p>{t('The page itself stands where {0} is; without it the template is refused.', '{{> svc/page-content}}')}</p>
      <Field label={t('HTML around the page')} errors={form.errors.content}>
        {({ id, describedby, invalid }) => (
          <textarea
            id={id}
            class="svc-mono"
            rows={16}
            spellcheck={false}
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={form.values.content}
            onInput={(event) => form.set('content', event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

export default function Templates() {
  const read = useRead('/site/templates', () => api.get('/site/templates', {}));
  const [editing, setEditing] = useState<Template | null>(null);
  const [resetting, setResetting] = useState<Template | null>(null);
  return (
    <div class="svc-page">
      <Head
        title={t('Templates')}
        sub={t("The HTML around the site's pages. Changes are checked when they are saved.")}
      />
      <Section>
        <Loaded read={read} rows={7}>
          {(all) => (
            <ul class="svc-rows">
              {(all as Template[]).map((one) => (
                <li key={one.name}>
                  <div>
                    <b>{one.title}</b>
                    <small>{one.is_default ? t('as delivered') : t('changed')}</small>
                  </div>
                  {!one.is_default && (
                    <Button kind="quiet" aria-label={t('Reset {0}', one.title)} onClick={() => setResetting(one)}>
                      {t('Reset')}
                    </Button>
                  )}
                  <Button aria-label={t('Edit {0}', one.title)} onClick={() => setEditing(one)}>
                    {t('Edit')}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      {editing && <Editor template={editing} onClose={() => setEditing(null)} />}
      {resetting && (
        <Confirm
          title={t('Reset {0}?', resetting.title)}
          action={t('Reset')}
          danger
          onClose={() => setResetting(null)}
          run={async () => {
            await api.put('/site/templates/{name}', { name: resetting.name } as never, { content: '' });
            changed('/site/templates');
          }}
        >
          <Notice kind="info">{t('What was written here is gone.')}</Notice>
        </Confirm>
      )}
    </div>
  );
}
