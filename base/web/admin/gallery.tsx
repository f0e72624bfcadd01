// A trip's pictures in their order, moved by dragging or by buttons.
import { ArrowLeft, ArrowRight, ImagePlus, Star, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { t } from '../kit/i18n';
import { MediaDialog } from '../kit/media';
import { moved } from '../kit/moved';
import { Button, Empty } from '../kit/ui';

interface Picture {
  id?: number | null;
  kind?: string;
  url?: string | null;
  thumbnail_url?: string | null;
  alt_text?: string;
  caption?: string;
  is_featured?: boolean;
  order?: number | null;
}

export function Gallery({ value, set }: { value: Picture[]; set: (next: Picture[]) => void }) {
  const [open, setOpen] = useState(false);
  const [dragged, setDragged] = useState<number | null>(null);
  const put = (next: Picture[]) =>
    set(
      next.map((one, order) => ({
        id: one.id,
        kind: one.kind ?? 'image',
        url: one.id ? undefined : one.url,
        thumbnail_url: one.thumbnail_url,
        alt_text: one.alt_text,
        caption: one.caption,
        is_featured: one.is_featured ?? false,
        order,
      })),
    );
  return (
    <div>
      {!value.length && (
        <Empty>{t('No pictures yet. The first one is what a visitor sees before reading a word.')}</Empty>
      )}
      <ol class="svc-pictures">
        {value.map((one, at) => (
          <li
            key={`${one.id}-${at}`}
            draggable
            class={dragged === at ? 'svc-dragged' : ''}
            onDragStart={() => setDragged(at)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== null && put(moved(value, dragged, at))}
          >
            {one.thumbnail_url || one.url ? (
              <img src={one.thumbnail_url || one.url!} alt={one.alt_text ?? ''} loading="lazy" />
            ) : (
              <span class="svc-thumb" />
            )}
            <input
              aria-label={t('Description of picture {0}', at + 1)}
              placeholder={t('Description')}
              value={one.alt_text ?? ''}
              onChange={(event) =>
                put(
                  value.map((each, index) => (index === at ? { ...each, alt_text: event.currentTarget.value } : each)),
                )
              }
            />
            <div>
              <Button
                kind="quiet"
                icon={<ArrowLeft size={16} aria-hidden />}
                aria-label={t('Move picture {0} forward', at + 1)}
                disabled={at === 0}
                onClick={() => put(moved(value, at, at - 1))}
              />
              <Button
                kind="quiet"
                icon={<ArrowRight size={16} aria-hidden />}
                aria-label={t('Move picture {0} back', at + 1)}
                disabled={at === value.length - 1}
                onClick={() => put(moved(value, at, at + 1))}
              />
              <Button
                kind="quiet"
                icon={<Star size={16} aria-hidden fill={one.is_featured ? 'currentColor' : 'none'} />}
                aria-label={t('Main picture: {0}', at + 1)}
                aria-pressed={!!one.is_featured}
                onClick={() => put(value.map((each, index) => ({ ...each, is_featured: index === at })))}
              />
              <Button
                kind="quiet"
                icon={<Trash2 size={16} aria-hidden />}
                aria-label={t('Remove picture {0}', at + 1)}
                onClick={() => put(value.filter((_, index) => index !== at))}
              />
            </div>
          </li>
        ))}
      </ol>
      <Button icon={<ImagePlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('Add pictures')}
      </Button>
      {open && (
        <MediaDialog
          many
          onClose={() => setOpen(false)}
          onPick={(all) => {
            put([
              ...value,
              ...all.map((one) => ({
                id: one.id,
                kind: 'image',
                url: one.url,
                thumbnail_url: one.thumbnail_url,
                alt_text: one.alt_text,
                caption: one.caption,
              })),
            ]);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}
