// What is missing before the site can sell, each step with its place.
import { CheckCircle2, Circle } from 'lucide-preact';

import { api, json } from '../../kit/client';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { changed, useRead } from '../../kit/query';
import { Button, Loaded, Notice, failed, toast } from '../../kit/ui';
import { Head, Section } from '../../kit/page';

interface Step {
  done: boolean;
  title: string;
  why: string;
  href: string;
  action: string;
}

async function steps(): Promise<Step[]> {
  const settings = can('get', '/settings') ? (await json<Record<string, any>>('get', '/settings')).data : {};
  const gateways = can('get', '/payment/gateways/definitions')
    ? Object.values((await json<any>('get', '/payment/gateways/definitions')).data.gateways as Record<string, any>)
    : [];
  const trips = (await json<any[]>('get', '/trips', { params: { status: 'publish', per_page: 1 } })).meta.total;
  const dates = can('get', '/departures')
    ? (await json<any[]>('get', '/departures', { params: { status: 'upcoming', per_page: 1 } })).meta.total
    : 0;
  return [
    {
      done: !!settings.company_name && !!settings.company_email,
      title: t('Company'),
      why: t('Its name and address stand on invoices and under every e-mail.'),
      href: '/admin/settings?search=company',
      action: t('Fill in'),
    },
    {
      done: !!settings.currency,
      title: t('Currency: {0}', settings.currency ?? ''),
      why: t('Prices, payments and reports are in it. Choose it before the first booking.'),
      href: '/admin/settings?search=currency',
      action: t('Look'),
    },
    {
      done: !!settings.smtp_host,
      title: t('Mail server'),
      why: t('Without it nobody gets a confirmation.'),
      href: '/admin/settings?search=smtp',
      action: t('Set up'),
    },
    {
      done: gateways.some((one) => one.enabled && one.is_configured !== false),
      title: t('A way to pay'),
      why: t('Pay later needs no account with a provider.'),
      href: '/admin/gateways',
      action: t('Choose'),
    },
    {
      done: trips > 0,
      title: t('The first trip'),
      why: t('A title, a price and a picture are enough to begin with.'),
      href: '/admin/trips/new',
      action: t('Write'),
    },
    {
      done: dates > 0,
      title: t('Dates'),
      why: t('Single dates, or a rule such as every Saturday.'),
      href: '/admin/trips',
      action: t('Add'),
    },
    {
      done: !!settings.terms_page_id || !!settings.terms_page,
      title: t('Terms and privacy'),
      why: t('Customers accept them when they book.'),
      href: '/admin/pages',
      action: t('Name them'),
    },
  ];
}

export default function FirstSteps() {
  const read = useRead('/settings/first-steps', steps);
  const samples = useRead(can('get', '/sample-data/status') ? '/sample-data/status' : null, () =>
    api.get('/sample-data/status', {}),
  );
  return (
    <div class="svc-page">
      <Head title={t('First steps')} sub={t('What is missing before the first booking.')} />
      <Loaded read={read}>
        {(all) => (
          <Section>
            {all.every((one) => one.done) && (
              <Notice kind="good">{t('Everything is there. The site can sell.')}</Notice>
            )}
            <ul class="svc-rows">
              {all.map((one) => (
                <li key={one.title}>
                  {one.done ? (
                    <CheckCircle2 size={20} aria-label={t('Done')} class="svc-good" />
                  ) : (
                    <Circle size={20} aria-label={t('To do')} class="svc-none" />
                  )}
                  <div>
                    <b>{one.title}</b>
                    <small>{one.why}</small>
                  </div>
                  <a
                    class={`svc-button ${one.done ? 'svc-quiet' : 'svc-plain'}`}
                    href={one.href}
                    aria-label={`${one.action}: ${one.title}`}
                  >
                    {one.action}
                  </a>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Loaded>
      {samples.data && (
        <Section title={t('A sample catalogue')}>
          <p>{t('Trips, dates and bookings to look around with. They can be removed again.')}</p>
          {samples.data.has_data && samples.data.is_imported ? (
            <Button
              onClick={() =>
                api
                  .remove('/sample-data/cleanup', {})
                  .then(() => (toast(t('The samples are gone.')), changed('/'), samples.again()), failed)
              }
            >
              {t('Remove the samples')}
            </Button>
          ) : (
            <Button
              onClick={() =>
                api
                  .post('/sample-data/import', null, {})
                  .then(() => (toast(t('The samples are there.')), changed('/'), samples.again()), failed)
              }
            >
              {t('Load the samples')}
            </Button>
          )}
        </Section>
      )}
    </div>
  );
}
