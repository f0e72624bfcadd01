// Pictures and files: shown, uploaded by choosing or dropping, chosen among what is there.
import { ImagePlus, X } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';

import { type DataOf, api, apiRoot, json, sentence } from './client';
import { t } from './i18n';
import { changed, useRead } from './query';
import { Button, Dialog, Empty, Loaded, Notice } from './ui';

export type Media = DataOf<'/media/{id}', 'get'>;

export async function upload(file: File, alt = ''): Promise<Media> {
  const form = new FormData();
  form.set('file', file);
  form.set('alt_text', alt);
  const stored = (await json<Media>('post', '/media', { body: form })).data;
  changed('/media');
  return stored;
}

// The small picture of a file; what has none leaves its place grey.
export function Thumb({ id, alt = '' }: { id: number; alt?: string }) {
  return (
    <img
      class="svc-thumb"
      src={`${apiRoot}/media/${id}/thumbnail`}
      alt={alt}
      loading="lazy"
      onError={(event) => (event.currentTarget.style.visibility = 'hidden')}
    />
  );
}

export function MediaDialog({
  onPick,
  onClose,
  many,
}: {
  onPick: (all: Media[]) => void;
  onClose: () => void;
  many?: boolean;
}) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<Media[]>([]);
  const [busy, setBusy] = useState(0);
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const key = `/media?search=${search}&page=${page}`;
  const read = useRead(key, () => api.list('/media', { search, page, per_page: 24 } as never));
  const take = async (files: FileList | null) => {
    for (const file of files ?? []) {
      setBusy((now) => now + 1);
      try {
        const stored = await upload(file);
        setChosen((before) => (many ? [...before, stored] : [stored]));
        setError('');
      } catch (failure) {
        setError(`${file.name}: ${sentence(failure)}`);
      }
      setBusy((now) => now - 1);
    }
  };
  const toggle = (one: Media) =>
    setChosen((before) =>
      before.some((each) => each.id === one.id)
        ? before.filter((each) => each.id !== one.id)
        : many
          ? [...before, one]
          : [one],
    );
  return (
    <Dialog
      title={many ? t('Choose pictures') : t('Choose a picture')}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Back')}</Button>
          <Button kind="primary" disabled={!chosen.length} onClick={() => onPick(chosen)}>
            {chosen.length > 1 ? t('Use {0} pictures', chosen.length) : t('Use this picture')}
          </Button>
        </>
      }
    >
      <div
        class="svc-drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void take(event.dataTransfer?.files ?? null);
        }}
      >
        <input
          ref={input}
          type="file"
          accept="image/*"
          multiple={many}
          hidden
          aria-label={t('Upload pictures')}
          onChange={(event) => void take(event.currentTarget.files)}
        />
        <Button icon={<ImagePlus size={16} aria-hidden />} busy={busy > 0} onClick={() => input.current?.click()}>
          {busy ? t('Uploading {0}', busy) : t('Upload')}
        </Button>
        <span>{t('or drop pictures here')}</span>
        <input
          type="search"
          aria-label={t('Search pictures')}
          placeholder={t('Search')}
          value={search}
          onInput={(event) => (setSearch(event.currentTarget.value), setPage(1))}
        />
      </div>
      {error && <Notice kind="bad">{error}</Notice>}
      <Loaded read={read}>
        {(found) =>
          found.data.length ? (
            <>
              <div class="svc-gallery">
                {(found.data as Media[]).map((one) => (
                  <button
                    type="button"
                    key={one.id}
                    aria-pressed={chosen.some((each) => each.id === one.id)}
                    onClick={() => toggle(one)}
                  >
                    {one.thumbnail_url ? (
                      <img src={one.thumbnail_url} alt={one.alt_text || one.original_name} loading="lazy" />
                    ) : (
                      <span>{one.original_name}</span>
                    )}
                  </button>
                ))}
              </div>
              {found.meta.total_pages > 1 && (
                <p class="svc-pages">
                  <Button disabled={page < 2} onClick={() => setPage(page - 1)}>
                    {t('Newer')}
                  </Button>
                  <Button disabled={page >= found.meta.total_pages} onClick={() => setPage(page + 1)}>
                    {t('Older')}
                  </Button>
                </p>
              )}
            </>
          ) : (
            <Empty>{t('No pictures yet. Upload the first one.')}</Empty>
          )
        }
      </Loaded>
    </Dialog>
  );
}

export function MediaOne({ value, set }: { value: number | null | undefined; set: (id: number | null) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <div class="svc-media">
      {value ? <Thumb id={value} /> : null}
      <Button icon={<ImagePlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {value ? t('Replace') : t('Choose a picture')}
      </Button>
      {value ? (
        <Button
          kind="quiet"
          icon={<X size={16} aria-hidden />}
          aria-label={t('Remove the picture')}
          onClick={() => set(null)}
        />
      ) : null}
      {open && <MediaDialog onClose={() => setOpen(false)} onPick={(all) => (set(all[0]!.id), setOpen(false))} />}
    </div>
  );
}

export function MediaMany({ value, set }: { value: number[]; set: (ids: number[]) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <div class="svc-media">
      {value.map((id) => (
        <span class="svc-media-item" key={id}>
          <Thumb id={id} />
          <Button
            kind="quiet"
            icon={<X size={16} aria-hidden />}
            aria-label={t('Remove the picture')}
            onClick={() => set(value.filter((one) => one !== id))}
          />
        </span>
      ))}
      <Button icon={<ImagePlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('Add pictures')}
      </Button>
      {open && (
        <MediaDialog
          many
          onClose={() => setOpen(false)}
          onPick={(all) => (set([...value, ...all.map((one) => one.id)]), setOpen(false))}
        />
      )}
    </div>
  );
}
