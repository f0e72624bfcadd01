// Pictures and files as a grid: uploaded by choosing or dropping, described, looked up where they are used, deleted.
import { FileText, ImagePlus } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { type Envelope, api, json, sentence } from '../../kit/client';
import { Conflict } from '../../kit/conflict';
import { Field } from '../../kit/field';
import { moment } from '../../kit/format';
import { language, t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { useLocation } from '../../kit/location';
import { type Media, upload } from '../../kit/media';
import { changed, forget, useRead } from '../../kit/query';
import { Button, Confirm, Dialog, Empty, Loaded, Notice, toast } from '../../kit/ui';
import { Summary, may_leave, useForm } from '../../kit/use-form';
import { Facts, Head } from '../../kit/page';

const per_page = 48;
const size = (bytes: number) =>
  bytes < 1024 * 1024
    ? t('{0} kB', Math.max(1, Math.round(bytes / 1024)).toLocaleString(language))
    : t('{0} MB', (bytes / 1024 / 1024).toLocaleString(language, { maximumFractionDigits: 1 }));
const is_picture = (one: Media) => !!one.thumbnail_url;

// Where the records that may show a file have their screens.
const screens: Record<string, string> = {
  trip: 'trips',
  destination: 'destinations',
  activity: 'activities',
  trip_category: 'trip-categories',
  difficulty_level: 'difficulty-levels',
  traveler_category: 'traveler-categories',
  item: 'items',
  item_type: 'item-types',
  attribute: 'attributes',
  itinerary: 'trips',
};
function Uses({ id }: { id: number }) {
  const read = useRead(`/media/${id}/users`, () => api.get('/media/{id}/users', { id }));
  return (
    <section aria-label={t('Used by')}>
      <h3>{t('Used by')}</h3>
      <Loaded read={read} rows={2}>
        {(found) =>
          found.total ? (
            <>
              <ul class="svc-rows">
                {found.items.map((one) => {
                  const screen = screens[one.type];
                  const href =
                    screen && one.id
                      ? `/admin/${screen}/${one.id}`
                      : one.type === 'setting'
                        ? `/admin/settings?search=${encodeURIComponent(one.title ?? '')}`
                        : null;
                  return (
                    <li key={`${one.type} ${one.id} ${one.title}`}>
                      {href ? (
                        <a href={href}>
                          <b>{one.title}</b>
                        </a>
                      ) : (
                        <div>
                          <b>{one.title}</b>
                        </div>
                      )}
                    </li>
                  );
                })}
              </ul>
              {found.total > found.items.length && <p>{t('and {0} more', found.total - found.items.length)}</p>}
            </>
          ) : (
            <p class="svc-none">{t('Nothing uses it.')}</p>
          )
        }
      </Loaded>
    </section>
  );
}

function Sheet({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useRead(`/media/${id}`, () => api.get('/media/{id}', { id }));
  return (
    <Dialog title={read.data?.original_name ?? t('File')} sheet onClose={() => may_leave() && onClose()}>
      <Loaded read={read}>
        {(one) => <One key={one.row_version} one={one} again={read.again} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function One({ one, again, onClose }: { one: Media; again: () => Promise<void>; onClose: () => void }) {
  const form = useForm({ ...one });
  const [removing, setRemoving] = useState(false);
  const writes = can('put', '/media/{id}');
  const save = (row_version = one.row_version) =>
    form.submit(async (changes) => {
      await api.put('/media/{id}', { id: one.id }, { ...changes, row_version });
      toast(t('Saved.'));
      await Promise.all([changed('/media?'), again()]);
    });
  return (
    <>
      {is_picture(one) ? (
        <img class="svc-preview" src={one.url} alt={one.alt_text || one.original_name} />
      ) : (
        <p>
          <a href={one.url} target="_blank" rel="noopener">
            {t('Open the file')}
          </a>
        </p>
      )}
      <Summary form={form} known={['alt_text', 'caption']} />
      {writes ? (
        <form
          class="svc-form"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Field
            label={t('Description')}
            help={is_picture(one) ? t('For who cannot see the picture: what it shows, in one sentence.') : undefined}
            errors={form.errors.alt_text}
          >
            {({ id, describedby, invalid }) => (
              <textarea
                id={id}
                rows={2}
                maxLength={500}
                aria-describedby={describedby}
                aria-invalid={invalid}
                value={form.values.alt_text ?? ''}
                onInput={(event) => form.set('alt_text', event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={t('Caption')} errors={form.errors.caption}>
            {({ id, describedby, invalid }) => (
              <input
                id={id}
                maxLength={1000}
                aria-describedby={describedby}
                aria-invalid={invalid}
                value={form.values.caption ?? ''}
                onInput={(event) => form.set('caption', event.currentTarget.value)}
              />
            )}
          </Field>
          <p class="svc-actions">
            <Button type="submit" kind="primary" busy={form.busy} disabled={!form.dirty}>
              {t('Save')}
            </Button>
            {can('delete', '/media/{id}') && (
              <Button kind="danger" onClick={() => setRemoving(true)}>
                {t('Delete')}
              </Button>
            )}
          </p>
        </form>
      ) : (
        <Facts
          rows={[
            [t('Description'), one.alt_text],
            [t('Caption'), one.caption],
          ]}
        />
      )}
      {can('get', '/media/{id}/users') && <Uses id={one.id!} />}
      <Facts
        rows={[
          [t('Pixels'), one.width && `${one.width} × ${one.height}`],
          [t('Size'), size(one.byte_size!)],
          [t('Type'), one.mime_type],
          [t('Uploaded'), moment(one.created_at)],
          [t('Visible'), one.is_private ? t('by signed links only') : t('to everybody')],
        ]}
      />
      {form.conflict && (
        <Conflict
          form={form}
          read={() => api.get('/media/{id}', { id: one.id! })}
          keep={(now) => void save(now.row_version)}
          take={() => (form.reset(), void again())}
        />
      )}
      {removing && (
        <Confirm
          title={t('Delete {0}?', one.original_name)}
          action={t('Delete')}
          danger
          onClose={() => setRemoving(false)}
          run={async () => {
            await api.remove('/media/{id}', { id: one.id! });
            form.reset();
            toast(t('Deleted.'));
            forget(`/media/${one.id}`);
            onClose();
            void changed('/media?');
          }}
        >
          <p>{t('What is in use cannot be deleted.')}</p>
        </Confirm>
      )}
    </>
  );
}

export default function MediaScreen({ id }: { id: number | null }) {
  const { query, path, route } = useLocation();
  const [text, setText] = useState(query.search ?? '');
  const [sending, setSending] = useState<string[]>([]);
  const [refused, setRefused] = useState<string[]>([]);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const page = Number(query.page) || 1;
  const order = query.orderby === 'name' ? { orderby: 'name', order: 'asc' } : {};
  const asked = { search: query.search ?? '', page, per_page, ...order };
  const read = useRead<Envelope<Media[]>>(`/media?${JSON.stringify(asked)}`, () =>
    json<Media[]>('get', '/media', { params: asked }),
  );
  const uploads = can('post', '/media');
  const address = (next: Record<string, string>) => {
    const all = new URLSearchParams(Object.entries({ ...query, page: '', ...next }).filter(([, value]) => value));
    return `/admin/media${all.size ? `?${all}` : ''}`;
  };
  useEffect(() => {
    const timer = setTimeout(() => text !== (query.search ?? '') && route(address({ search: text }), true), 250);
    return () => clearTimeout(timer);
  }, [text]);
  const take = async (files: FileList | null | undefined) => {
    const all = [...(files ?? [])];
    setRefused([]);
    setSending(all.map((file) => file.name));
    for (const file of all) {
      await upload(file).catch((error) => setRefused((before) => [...before, `${file.name}: ${sentence(error)}`]));
      setSending((before) => before.slice(1));
    }
    if (input.current) input.current.value = ''; // the same file may be chosen again
  };
  const rest = new URLSearchParams(query).toString();
  const found = read.data;
  return (
    <div class="svc-page">
      <Head title={t('Pictures and files')}>
        {uploads && (
          <Button
            kind="primary"
            icon={<ImagePlus size={16} aria-hidden />}
            busy={sending.length > 0}
            onClick={() => input.current?.click()}
          >
            {sending.length ? t('Uploading {0}', sending.length) : t('Upload')}
          </Button>
        )}
      </Head>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('Upload pictures and files')}
        onChange={(event) => void take(event.currentTarget.files)}
      />
      <div class="svc-bar">
        <input
          type="search"
          data-search
          aria-label={t('Search')}
          placeholder={t('Search')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <select
          aria-label={t('Order')}
          value={query.orderby ?? ''}
          onChange={(event) => route(address({ orderby: event.currentTarget.value }), true)}
        >
          <option value="">{t('Newest first')}</option>
          <option value="name">{t('By name')}</option>
        </select>
      </div>
      {refused.length > 0 && (
        <Notice kind="bad">
          {refused.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </Notice>
      )}
      <div
        class={`svc-library ${over ? 'svc-over' : ''}`}
        onDragOver={(event) => uploads && (event.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          if (!uploads) return;
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer?.files);
        }}
      >
        <Loaded read={read} rows={8}>
          {({ data, meta }) =>
            data.length ? (
              <>
                <ul>
                  {data.map((one) => (
                    <li key={one.id}>
                      <a href={`/admin/media/${one.id}${rest ? `?${rest}` : ''}`} data-stay>
                        {is_picture(one) ? (
                          <img src={one.thumbnail_url!} alt="" loading="lazy" />
                        ) : (
                          <span class="svc-no-picture">
                            <FileText size={28} aria-hidden />
                          </span>
                        )}
                        <b>{one.original_name}</b>
                        <small>
                          {is_picture(one)
                            ? one.alt_text || <span class="svc-warn">{t('No description')}</span>
                            : size(one.byte_size!)}
                        </small>
                      </a>
                    </li>
                  ))}
                </ul>
                {(meta.total_pages ?? 1) > 1 && (
                  <footer class="svc-pages">
                    <span>
                      {t(
                        '{0} to {1} of {2}',
                        ((page - 1) * per_page + 1).toLocaleString(language),
                        Math.min(page * per_page, meta.total).toLocaleString(language),
                        meta.total.toLocaleString(language),
                      )}
                    </span>
                    <Button disabled={page <= 1} onClick={() => route(address({ page: String(page - 1) }))}>
                      {t('Back')}
                    </Button>
                    <Button
                      disabled={page >= meta.total_pages}
                      onClick={() => route(address({ page: String(page + 1) }))}
                    >
                      {t('Next')}
                    </Button>
                  </footer>
                )}
              </>
            ) : query.search || page > 1 ? (
              <Empty
                action={<Button onClick={() => (setText(''), route('/admin/media', true))}>{t('Show all')}</Button>}
              >
                {t('Nothing matches.')}
              </Empty>
            ) : (
              <Empty
                action={
                  uploads ? (
                    <Button kind="primary" onClick={() => input.current?.click()}>
                      {t('Upload')}
                    </Button>
                  ) : undefined
                }
              >
                {uploads ? t('No pictures yet. Choose some, or drop them here.') : t('No pictures yet.')}
              </Empty>
            )
          }
        </Loaded>
      </div>
      {id !== null && (
        <Sheet
          key={id}
          id={id}
          onClose={() => path !== '/admin/media' && route(`/admin/media${rest ? `?${rest}` : ''}`)}
        />
      )}
      <p class="svc-hidden" aria-live="polite">
        {sending.length
          ? t('Uploading {0}', sending.length)
          : found
            ? t('{0, plural, one {# file} other {# files}}', found.meta.total)
            : ''}
      </p>
    </div>
  );
}
