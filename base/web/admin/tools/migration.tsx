// From a former installation: its export is staged, tried, and migrated kind by kind or all at once.
import { useEffect, useState } from 'preact/hooks';

import { api, json } from '../../kit/client';
import { Field } from '../../kit/field';
import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { Section } from '../../kit/page';
import { changed, useRead } from '../../kit/query';
import { Button, Confirm, Empty, Loaded, Notice, Status, failed, toast } from '../../kit/ui';
import { Summary, useForm } from '../../kit/use-form';
import { Jobs } from './jobs';

const often = 1500; // milliseconds

function Upload({ kinds, again }: { kinds: string[]; again: () => void }) {
  const form = useForm({ data_type: '' });
  const [chosen, setChosen] = useState<File | null>(null);
  const stage = () =>
    form.submit(async () => {
      const body = new FormData();
      if (form.values.data_type) body.set('data_type', form.values.data_type);
      body.set('file', chosen!);
      const { data } = await json<{ staged: Record<string, number> }>('post', '/migration/upload', { body });
      again();
      toast(
        t(
          'Staged: {0}.',
          Object.entries(data.staged)
            .map(([kind, number]) => `${words(kind)} ${number}`)
            .join(', '),
        ),
      );
    });
  return (
    <Section title={t('Former installation')}>
      <p>
        {t(
          'The export of WordPress with Yatra, WP Travel or WP Travel Engine (Tools, Export in WordPress). What it lacks, such as enquiries or the payments of Yatra, comes as a CSV dump of that table.',
        )}
      </p>
      <Summary form={form} />
      <Field label={t('File')} errors={form.errors.file} required>
        {({ id }) => (
          <input
            id={id}
            type="file"
            accept=".xml,.csv"
            onChange={(event) => setChosen(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Field>
      {chosen && /\.csv$/i.test(chosen.name) && (
        <Field label={t('Its rows are')} errors={form.errors.data_type} required>
          {({ id }) => (
            <select
              id={id}
              value={form.values.data_type}
              onChange={(event) => form.set('data_type', event.currentTarget.value)}
            >
              <option value="">{t('Choose')}</option>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {words(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <p class="svc-actions">
        <Button kind="primary" busy={form.busy} disabled={!chosen} onClick={stage}>
          {t('Stage it')}
        </Button>
      </p>
    </Section>
  );
}

// What the server counts, in its own words (base/data/wordpress_import/left_out.cpp), and how they read here.
const left: Record<string, string> = {
  Pages: t('Pages'),
  Articles: t('Articles'),
  'Entries of menus': t('Entries of menus'),
  'Trip extras (additional services)': t('Trip extras (additional services)'),
  'Extra services (additional services)': t('Extra services (additional services)'),
  'Orders of WooCommerce': t('Orders of WooCommerce'),
  'Products of WooCommerce': t('Products of WooCommerce'),
  'Trips with additional services': t('Trips with additional services'),
  'Trips with conditions of availability or price': t('Trips with conditions of availability or price'),
  'Trips with rules of dynamic pricing': t('Trips with rules of dynamic pricing'),
  'Trips with group discounts': t('Trips with group discounts'),
  'Trips with rules of discounts': t('Trips with rules of discounts'),
  'Terms without a name': t('Terms without a name'),
  'Trips with a map': t('Trips with a map'),
  'Trips with a country': t('Trips with a country'),
  'Trips with facts': t('Trips with facts'),
  'Trips with a place on the map': t('Trips with a place on the map'),
  'Trips with a video': t('Trips with a video'),
  'Trips with a tab of their own': t('Trips with a tab of their own'),
  'Trips with a description of the price': t('Trips with a description of the price'),
  'Trips with a label of the price': t('Trips with a label of the price'),
  'Trips behind a password, which are drafts': t('Trips behind a password, which are drafts'),
  'Trips whose booking was switched off, which are drafts': t('Trips whose booking was switched off, which are drafts'),
  'Trips that are sold on another site, which are drafts': t('Trips that are sold on another site, which are drafts'),
  'Trips without a price, which are drafts': t('Trips without a price, which are drafts'),
  'Trips with pictures within the text, which stay on the former site': t(
    'Trips with pictures within the text, which stay on the former site',
  ),
  'Coupons that were used up, which are drafts': t('Coupons that were used up, which are drafts'),
  'Coupons that ended at a time of day, which end with their day': t(
    'Coupons that ended at a time of day, which end with their day',
  ),
  'Tags of articles': t('Tags of articles'),
  'Categories of articles': t('Categories of articles'),
  'Blank lines before the export, which were skipped': t('Blank lines before the export, which were skipped'),
  'Characters that XML forbids, which were dropped': t('Characters that XML forbids, which were dropped'),
  'Days of the table that follow the tour': t('Days of the table that follow the tour'),
  'Days of the table outside of the dates of their tour': t('Days of the table outside of the dates of their tour'),
  'Days of the table for enquiries only, which are closed': t('Days of the table for enquiries only, which are closed'),
  'Payments that were refunded': t('Payments that were refunded'),
  'Payments that were not completed': t('Payments that were not completed'),
  'Recurring dates that are entered up to a year ahead, or 1100 days of them': t(
    'Recurring dates that are entered up to a year ahead, or 1100 days of them',
  ),
  Others: t('Others'),
};
// What to do about a kind that no export holds.
const advice: Record<string, string> = {
  settings: t('An export of WordPress holds no settings of plugins. Set them here, under Settings.'),
  pro_features: t('An export of WordPress does not tell which features were on. Enable modules under Modules.'),
  pro_reviews_cpt: t(
    'Reviews come as the comments of trips; those of an add-on are not exported. Enter them by hand, or as a CSV file of the kind reviews.',
  ),
  pro_downloads: t('An export of WordPress holds no downloads of an add-on. Upload them to their trips.'),
  services: t('Additional services are not migrated. Enter them under Additional services.'),
  availability_conditions: t(
    'Conditions of availability, discounts and dynamic prices are not migrated. Enter them as rules of availability, discounts or dynamic prices.',
  ),
};
const owners: Record<string, string> = {
  Trips: t('Trips'),
  Bookings: t('Bookings'),
  Customers: t('Customers'),
  Coupons: t('Coupons'),
  Enquiries: t('Enquiries'),
  Packages: t('Packages'),
};
function said_of(left_out: string): string {
  if (Object.hasOwn(left, left_out)) return left[left_out]!;
  const [, owner, field] = /^(\w+) with the field '(.*)'$/.exec(left_out) ?? [];
  if (owner && Object.hasOwn(owners, owner)) return t('{0} with the field “{1}”', owners[owner]!, field!);
  const [, shortcode] = /^Trips with the shortcode '(.*)', of which/.exec(left_out) ?? [];
  if (shortcode !== undefined) return t('Trips with the shortcode “{0}”, of which the words are kept', shortcode);
  const [, term, post, where] =
    /^(?:Terms of the taxonomy '(.*)'|Posts of the type '(.*)'( in| that|$).*)$/.exec(left_out) ?? [];
  if (term !== undefined) return t('Terms of the taxonomy “{0}”', term);
  if (post === undefined) return left_out;
  return where === ' in'
    ? t('Posts of the type “{0}” in the trash', post)
    : where
      ? t('Posts of the type “{0}” that were never saved', post)
      : t('Posts of the type “{0}”', post);
}

const by_hand: Record<string, string> = {
  pro_features: t('Enabled add-ons'),
  pro_reviews_cpt: t('Reviews of an add-on'),
  pro_downloads: t('Downloads of an add-on'),
};
function Behind({ numbers, kinds }: { numbers: [string, number][]; kinds: [string, any][] }) {
  return (
    <Section title={t('Not migrated')}>
      {numbers.length > 0 && (
        <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('Not migrated')}>
          <table class="svc-table">
            <thead>
              <tr>
                <th>{t('In the export, not migrated as it is')}</th>
                <th class="svc-end">{t('Number')}</th>
              </tr>
            </thead>
            <tbody>
              {numbers.map(([what, number]) => (
                <tr key={what}>
                  <td>{said_of(what)}</td>
                  <td class="svc-end">{number}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <dl class="svc-facts">
        {kinds.map(([kind, one]) => (
          <div key={kind}>
            <dt>{by_hand[kind] ?? words(kind)}</dt>
            <dd>{advice[kind] ?? one.by_hand}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

export function Migration() {
  const read = useRead('/migration/status', () => api.get('/migration/status', {}));
  const [force, setForce] = useState(false);
  const [asking, setAsking] = useState<'clear' | 'all' | ''>('');
  const types = Object.entries((read.data?.data_types ?? {}) as Record<string, any>);
  const running = types.some(([, one]) => ['pending', 'running'].includes(one.status));
  const staged = types.filter(([, one]) => one.status !== 'absent');
  const unknown = read.data?.payments_unknown ?? 0;
  const foreign = Object.keys(read.data?.currencies ?? {}).filter((code) => code !== read.data?.site_currency);
  const again = () => (read.again(), changed('/tools/jobs'));
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => !document.hidden && read.again(), often);
    return () => clearInterval(timer);
  }, [running]);
  const start = (data_type: string | null, dry_run: boolean) =>
    (data_type
      ? api.post('/migration/migrate', null, { data_type, force, dry_run })
      : api.post('/migration/migrate-all', null, { force, dry_run })
    ).then(() => {
      toast(dry_run ? t('The dry run has started. It stores nothing.') : t('The migration has started.'));
      again();
    });
  return (
    <>
      <Upload kinds={types.filter(([, one]) => !one.by_hand).map(([kind]) => kind)} again={again} />
      {unknown > 0 && (
        <Notice kind="warn">
          {t(
            '{0, plural, one {The payments of one migrated booking are} other {The payments of # migrated bookings are}} not known. Until the file of payments is migrated, no money is asked for and none of them expires.',
            unknown,
          )}
        </Notice>
      )}
      {foreign.length > 0 && (
        <Notice kind="warn">
          {t(
            'The staged bookings are in {0}, prices here in {1}. Set the currency before you migrate.',
            foreign.join(', '),
            read.data?.site_currency ?? '',
          )}
        </Notice>
      )}
      <Section
        title={t('What is staged')}
        action={
          staged.length && !running ? (
            <Button kind="quiet" onClick={() => setAsking('clear')}>
              {t('Clear')}
            </Button>
          ) : undefined
        }
      >
        <Loaded read={read}>
          {() =>
            staged.length ? (
              <>
                <div class="svc-scroll" tabIndex={0} role="region" aria-label={t('What is staged')}>
                  <table class="svc-table">
                    <thead>
                      <tr>
                        <th>{t('Kind')}</th>
                        <th class="svc-end">{t('Staged')}</th>
                        <th class="svc-end">{t('Migrated')}</th>
                        <th class="svc-end">{t('Skipped')}</th>
                        <th class="svc-end">{t('Failed')}</th>
                        <th>{t('Status')}</th>
                        <th>
                          <span class="svc-hidden">{t('Start')}</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {staged.map(([kind, one]) => (
                        <tr key={kind}>
                          <td>{words(kind)}</td>
                          <td class="svc-end">{one.total}</td>
                          <td class="svc-end">{one.migrated ?? 0}</td>
                          <td class="svc-end">{one.skipped ?? 0}</td>
                          <td class="svc-end">{one.failed ?? 0}</td>
                          <td>
                            <Status value={one.status} />{' '}
                            {one.dry_run && <small class="svc-badge">{t('dry run')}</small>}
                          </td>
                          <td class="svc-end">
                            <Button
                              kind="quiet"
                              disabled={running}
                              aria-label={t('Try {0}', words(kind))}
                              onClick={() => start(kind, true).catch(failed)}
                            >
                              {t('Try')}
                            </Button>
                            <Button
                              kind="quiet"
                              disabled={running}
                              aria-label={t('Migrate {0}', words(kind))}
                              onClick={() => start(kind, false).catch(failed)}
                            >
                              {t('Migrate')}
                            </Button>
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                <Field label={t('Update records that were migrated before')} inline>
                  {({ id }) => (
                    <input
                      id={id}
                      type="checkbox"
                      role="switch"
                      checked={force}
                      onChange={(event) => setForce(event.currentTarget.checked)}
                    />
                  )}
                </Field>
                <p class="svc-actions">
                  {running ? (
                    <Button kind="danger" onClick={() => api.post('/migration/cancel', null).then(again, failed)}>
                      {t('Cancel the migration')}
                    </Button>
                  ) : (
                    <>
                      <Button onClick={() => start(null, true).catch(failed)}>{t('Try all')}</Button>
                      <Button kind="primary" onClick={() => setAsking('all')}>
                        {t('Migrate all')}
                      </Button>
                    </>
                  )}
                </p>
              </>
            ) : (
              <Empty>{t('Nothing is staged yet.')}</Empty>
            )
          }
        </Loaded>
      </Section>
      {staged.length > 0 && (
        <Behind
          numbers={Object.entries(read.data?.left_out ?? {}) as [string, number][]}
          kinds={types.filter(([, one]) => one.by_hand)}
        />
      )}
      <Jobs type="migrate" />
      {asking === 'all' && (
        <Confirm
          title={t('Migrate all that is staged?')}
          action={t('Migrate all')}
          onClose={() => setAsking('')}
          run={() => start(null, false)}
        >
          <p>{t('Records are created from the former installation. A dry run beforehand tells what would fail.')}</p>
        </Confirm>
      )}
      {asking === 'clear' && (
        <Confirm
          title={t('Clear what is staged?')}
          action={t('Clear')}
          danger
          onClose={() => setAsking('')}
          run={async () => {
            await api.post('/migration/clear', null);
            again();
          }}
        >
          <p>{t('Records that were migrated stay.')}</p>
        </Confirm>
      )}
    </>
  );
}
