// The ways to pay: their fields, a test of their credentials, the address their provider calls.
import { useState } from 'preact/hooks';

import { api, apiRoot, json, sentence } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { Input } from '../../kit/form';
import { t } from '../../kit/i18n';
import { Summary, type Values, useForm } from '../../kit/use-form';
import { type Schema, can } from '../../kit/interface';
import { changed, useRead } from '../../kit/query';
import { Button, Dialog, Empty, Loaded, Notice, Status, Switch, failed, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';

function schema_of(field: Record<string, any>): Schema {
  const description = field.help_text || field.description;
  if (field.options?.length) return { type: 'string', enum: field.options, description };
  if (field.type === 'boolean' || field.type === 'checkbox' || field.type === 'toggle')
    return { type: 'boolean', description };
  if (field.type === 'number' || field.type === 'integer')
    return { type: field.type, minimum: field.min ?? undefined, maximum: field.max ?? undefined, description };
  return {
    type: 'string',
    maxLength: field.type === 'textarea' ? 2000 : 200,
    description,
    'x-kind': field.secret ? 'secret' : undefined,
  };
}

const held = (gateway: Values): Values => ({
  enabled: gateway.enabled,
  ...gateway.config,
  title: gateway.config?.title ?? gateway.title,
  description: gateway.config?.description ?? gateway.description,
});
const stored = async () =>
  (await json<{ gateways: Record<string, Values> }>('get', '/payment/gateways/definitions')).data;

function GatewayDialog({ gateway, onClose }: { gateway: Record<string, any>; onClose: () => void }) {
  const form = useForm(held(gateway));
  const read = async () => held((await stored()).gateways[gateway.id]!);
  const [tested, setTested] = useState<{ ok: boolean; message: string } | null>(null);
  const save = () =>
    form.submit(async (changes) => {
      await api.post('/payment/gateways/{gateway}/config', { gateway: gateway.id }, changes);
      changed('/gateways', '/booking');
      toast(t('Saved.'));
    }, read);
  const test = () =>
    api.post('/payment/gateways/{gateway}/test', { gateway: gateway.id }).then(
      (done) => setTested(done as { ok: boolean; message: string }),
      (error) => setTested({ ok: false, message: sentence(error) }),
    );
  const visible = (field: Record<string, any>) =>
    Object.entries(field.show_when ?? {}).every(([name, value]) => form.values[name] === value);
  return (
    <Dialog
      title={gateway.title}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          {!gateway.is_offline && <Button onClick={test}>{t('Test the stored credentials')}</Button>}
          <Button kind="primary" busy={form.busy} disabled={!form.dirty} onClick={save}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <Summary form={form} />
      {tested && <Notice kind={tested.ok ? 'good' : 'bad'}>{tested.message}</Notice>}
      <Input
        name="enabled"
        label={t('Customers can choose it')}
        schema={{ type: 'boolean' }}
        value={form.values.enabled}
        set={(value) => form.set('enabled', value)}
        errors={form.errors}
      />
      {!gateway.is_offline && (
        <p>
          {t('The provider calls')} <code>{`${location.origin}${apiRoot}/payment/webhook/${gateway.id}`}</code>
        </p>
      )}
      <div class="svc-fields">
        {(gateway.fields ?? []).filter(visible).map((field: Record<string, any>) => (
          <Input
            key={field.id}
            name={field.id}
            path={field.id}
            label={field.label}
            schema={schema_of(field)}
            required={field.required}
            value={form.values[field.id]}
            set={(value) => form.set(field.id, value ?? '')}
            errors={form.errors}
          />
        ))}
      </div>
      {form.conflict && (
        <Conflict form={form} read={read} keep={() => void save()} take={() => (form.reset(), changed('/gateways'))} />
      )}
    </Dialog>
  );
}

export default function Gateways() {
  const read = useRead('/gateways', stored);
  const [open, setOpen] = useState<string>('');
  return (
    <div class="svc-page">
      <Head title={t('Gateways')} sub={t('How customers can pay.')} />
      <Loaded read={read}>
        {(found) => {
          const all = Object.values(found.gateways) as Record<string, any>[];
          const shown = open ? all.find((one) => one.id === open) : null;
          return (
            <Section>
              {!all.length && <Empty>{t('No gateway is installed.')}</Empty>}
              <ul class="svc-rows">
                {all.map((one) => (
                  <li key={one.id}>
                    <div>
                      <b>{one.title}</b> {one.requires_pro && <small class="svc-badge">{t('Pro')}</small>}
                      <small>{one.description}</small>
                    </div>
                    {one.test_mode && <small>{t('test mode')}</small>}
                    <Status value={one.enabled ? 'enabled' : 'off'} />
                    {can('post', '/payment/gateways/{gateway}/config') && (
                      <Button onClick={() => setOpen(one.id)}>{t('Set up')}</Button>
                    )}
                    {can('post', '/payment/gateways/{gateway}/config') && (
                      <Switch
                        aria-label={t('Offer {0}', one.title)}
                        checked={!!one.enabled}
                        set={(enabled) =>
                          api
                            .post('/payment/gateways/{gateway}/config', { gateway: one.id }, { enabled })
                            .then(read.again, (error) => (failed(error), read.again()))
                        }
                      />
                    )}
                  </li>
                ))}
              </ul>
              {shown && <GatewayDialog gateway={shown} onClose={() => setOpen('')} />}
            </Section>
          );
        }}
      </Loaded>
    </div>
  );
}
