// A trip's days and what happens on each, in an order that is changed by dragging or by buttons.
import { ArrowDown, ArrowUp, GripVertical, Pencil, Plus, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { api, json } from '../kit/client';
import { SchemaFields } from '../kit/form';
import { FormDialog } from '../kit/form-dialog';
import { t } from '../kit/i18n';
import { moved } from '../kit/moved';
import { type Values, useForm } from '../kit/use-form';
import { can, fields, operation } from '../kit/interface';
import { changed, useRead } from '../kit/query';
import { Button, Confirm, Empty, Loaded, failed, toast } from '../kit/ui';

type Entry = Record<string, any>;

// HTML as a line of text: tags are only seen where they are edited.
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/\s+/g, ' ')
    .trim();

function EntryDialog({
  trip_id,
  entry,
  day,
  next,
  onClose,
  done,
}: {
  trip_id: number;
  entry: Entry | null;
  day: Entry | null;
  next: number;
  onClose: () => void;
  done: () => void;
}) {
  const is_day = !day;
  const form = useForm(entry ?? (is_day ? {} : { time_type: 'flexible', status: 'publish' }));
  const write = operation(entry ? 'put' : 'post', entry ? '/itineraries/{id}' : '/itineraries')!;
  const known = fields(write.body);
  const main = (
    is_day
      ? ['day_title', 'day_description', 'image_id']
      : [
          'title',
          'description',
          'time_type',
          'start_time',
          'end_time',
          'duration_minutes',
          'location',
          'item_type_id',
          'item_id',
          'included_items',
          'excluded_items',
          'cost',
          'cost_per_person',
          'charge',
          'notes',
          'status',
        ]
  ).filter((one) => one in known);
  const run = async (changes: Values) => {
    if (entry) await api.put('/itineraries/{id}', { id: entry.id, ...(is_day && { mode: 'day' }) } as never, changes);
    else
      await api.post('/itineraries', null, {
        trip_id,
        mode: is_day ? 'day' : 'activity',
        ...(day ? { day_id: day.day_id ?? day.id, day: day.day } : { day: next }),
        ...form.values,
      });
    toast(t('Saved.'));
  };
  const read = async () =>
    (await json<Entry[]>('get', '/itineraries', { params: { trip_id } })).data.find(
      (one) => one.id === entry?.id && one.mode === entry?.mode,
    ) ?? {};
  return (
    <FormDialog
      compare={entry ? { saved: {}, read } : undefined}
      title={
        entry
          ? is_day
            ? t('Day {0}', entry.day)
            : entry.title
          : is_day
            ? t('New day')
            : t('Day {0}: new entry', day!.day)
      }
      form={form}
      run={run}
      done={done}
      onClose={onClose}
      wide
      known={main}
    >
      <div class="svc-fields">
        <SchemaFields
          schema={write.body!}
          form={form}
          only={main}
          labels={{ day_title: t('Title'), day_description: t('What happens') }}
        />
      </div>
    </FormDialog>
  );
}

export function Itinerary({ trip_id }: { trip_id: number }) {
  const read = useRead(
    `/itineraries/${trip_id}`,
    async () => (await json<Entry[]>('get', '/itineraries', { params: { trip_id } })).data,
  );
  const [editing, setEditing] = useState<{ entry: Entry | null; day: Entry | null } | null>(null);
  const [removing, setRemoving] = useState<Entry | null>(null);
  const [dragged, setDragged] = useState<{ day: number; at: number } | null>(null);
  const [said, setSaid] = useState('');
  const edits = can('post', '/itineraries');
  const done = () => {
    read.again();
    changed('/trips');
  };
  const store = (day: Entry, entries: Entry[]) => {
    const activities = entries.map((one, order) => ({ id: one.id, title: one.title, order }));
    return api
      .put('/itineraries/day/{day_id}/activities/bulk', { day_id: day.day_id ?? day.id } as never, {
        trip_id,
        activities,
      })
      .then(done, failed);
  };
  const swap = async (days: Entry[], at: number, by: number) => {
    const [one, other] = [days[at]!, days[at + by]!];
    const put = (day: Entry, number: number) =>
      api.put('/itineraries/{id}', { id: day.id, mode: 'day' } as never, { mode: 'day', day: number });
    try {
      // Two days never have one number, not even for a moment.
      await put(one, Math.max(...days.map((day) => day.day)) + 1);
      await put(other, one.day);
      await put(one, other.day);
      setSaid(t('Day {0} is day {1} now.', at + 1, at + by + 1));
    } catch (error) {
      failed(error);
    }
    done();
  };
  return (
    <Loaded read={read}>
      {(all) => {
        const days = all.filter((one) => one.mode === 'day');
        return (
          <div>
            <p class="svc-hidden" aria-live="polite">
              {said}
            </p>
            {!days.length && <Empty>{t('No days yet. Visitors read the itinerary day by day.')}</Empty>}
            <ol class="svc-days">
              {days.map((day, index) => {
                const entries = all.filter(
                  (one) => one.mode === 'activity' && (one.day_id === day.day_id || one.day_id === day.id),
                );
                return (
                  <li key={day.id}>
                    <header>
                      <b>{t('Day {0}', day.day)}</b> <span>{day.day_title || day.title}</span>
                      {edits && (
                        <span class="svc-actions">
                          <Button
                            kind="quiet"
                            icon={<ArrowUp size={16} aria-hidden />}
                            aria-label={t('Day {0} earlier', day.day)}
                            disabled={index === 0}
                            onClick={() => swap(days, index, -1)}
                          />
                          <Button
                            kind="quiet"
                            icon={<ArrowDown size={16} aria-hidden />}
                            aria-label={t('Day {0} later', day.day)}
                            disabled={index === days.length - 1}
                            onClick={() => swap(days, index, 1)}
                          />
                          <Button
                            kind="quiet"
                            icon={<Pencil size={16} aria-hidden />}
                            aria-label={t('Edit day {0}', day.day)}
                            onClick={() => setEditing({ entry: day, day: null })}
                          />
                          <Button
                            kind="quiet"
                            icon={<Trash2 size={16} aria-hidden />}
                            aria-label={t('Delete day {0}', day.day)}
                            onClick={() => setRemoving(day)}
                          />
                        </span>
                      )}
                    </header>
                    {(day.day_description || day.description) && <p>{plain(day.day_description || day.description)}</p>}
                    <ul>
                      {entries.map((entry, at) => (
                        <li
                          key={entry.id}
                          draggable={edits}
                          class={dragged?.day === day.id && dragged?.at === at ? 'svc-dragged' : ''}
                          onDragStart={() => setDragged({ day: day.id, at })}
                          onDragEnd={() => setDragged(null)}
                          onDragOver={(event) => dragged?.day === day.id && event.preventDefault()}
                          onDrop={() => dragged?.day === day.id && store(day, moved(entries, dragged!.at, at))}
                        >
                          {edits && <GripVertical size={16} aria-hidden class="svc-grip" />}
                          <span>
                            {entry.start_time ?? entry.time ?? ''} <b>{entry.title}</b> <small>{entry.location}</small>
                          </span>
                          {edits && (
                            <span class="svc-actions">
                              <Button
                                kind="quiet"
                                icon={<ArrowUp size={16} aria-hidden />}
                                aria-label={t('{0} earlier', entry.title)}
                                disabled={at === 0}
                                onClick={() => store(day, moved(entries, at, at - 1))}
                              />
                              <Button
                                kind="quiet"
                                icon={<ArrowDown size={16} aria-hidden />}
                                aria-label={t('{0} later', entry.title)}
                                disabled={at === entries.length - 1}
                                onClick={() => store(day, moved(entries, at, at + 1))}
                              />
                              <Button
                                kind="quiet"
                                icon={<Pencil size={16} aria-hidden />}
                                aria-label={t('Edit {0}', entry.title)}
                                onClick={() => setEditing({ entry, day })}
                              />
                              <Button
                                kind="quiet"
                                icon={<Trash2 size={16} aria-hidden />}
                                aria-label={t('Delete {0}', entry.title)}
                                onClick={() => setRemoving(entry)}
                              />
                            </span>
                          )}
                        </li>
                      ))}
                    </ul>
                    {edits && (
                      <Button
                        kind="quiet"
                        icon={<Plus size={16} aria-hidden />}
                        onClick={() => setEditing({ entry: null, day })}
                      >
                        {t('Add an entry')}
                      </Button>
                    )}
                  </li>
                );
              })}
            </ol>
            {edits && (
              <Button icon={<Plus size={16} aria-hidden />} onClick={() => setEditing({ entry: null, day: null })}>
                {t('Add a day')}
              </Button>
            )}
            {editing && (
              <EntryDialog
                trip_id={trip_id}
                entry={editing.entry}
                day={editing.day}
                next={days.length + 1}
                onClose={() => setEditing(null)}
                done={done}
              />
            )}
            {removing && (
              <Confirm
                title={
                  removing.mode === 'day'
                    ? t('Delete day {0} with its entries?', removing.day)
                    : t('Delete {0}?', removing.title)
                }
                action={t('Delete')}
                danger
                onClose={() => setRemoving(null)}
                run={async () => {
                  await json('delete', '/itineraries/{id}', {
                    params: { id: removing.id, ...(removing.mode === 'day' && { mode: 'day' }) },
                  });
                  done();
                }}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
