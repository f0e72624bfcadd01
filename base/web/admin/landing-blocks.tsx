// The blocks of a landing page: words, pictures, trips and questions, in the order in which visitors read them.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-preact';
import { useRef } from 'preact/hooks';

import { Field } from '../kit/field';
import { Rich } from '../kit/form';
import { t } from '../kit/i18n';
import { MediaOne } from '../kit/media';
import { moved } from '../kit/moved';
import { PickMany } from '../kit/pickers';
import { ListEditor } from '../kit/list-editor';
import { useRead } from '../kit/query';
import { json } from '../kit/client';
import { Button, Empty, Menu } from '../kit/ui';
import type { Form, Values } from '../kit/use-form';

const kinds: Record<string, string> = {
  hero: t('Opening with picture'),
  text: t('Text'),
  picture: t('Picture'),
  trips: t('List of trips'),
  facts: t('Facts'),
  questions: t('Questions and answers'),
  quote: t('Quotation'),
  button: t('Button'),
};
const sources: [string, string][] = [
  ['all', t('The newest trips')],
  ['featured', t('Featured trips')],
  ['destination', t('Trips of a destination')],
  ['activity', t('Trips of an activity')],
  ['trip_category', t('Trips of a category')],
  ['chosen', t('Trips that I choose')],
];
const paths: Record<string, string> = {
  destination: '/destinations',
  activity: '/activities',
  trip_category: '/trip-categories',
};

interface BlockProps {
  block: Values;
  at: number;
  form: Form;
  change: (some: Values) => void;
}

function Words({
  block,
  at,
  form,
  change,
  name,
  label,
  lines,
  help,
}: BlockProps & {
  name: string;
  label: string;
  lines?: boolean;
  help?: string;
}) {
  return (
    <Field label={label} errors={form.errors[`blocks.${at}.${name}`]} help={help}>
      {({ id, describedby, invalid }) => {
        const same = { id, 'aria-describedby': describedby, 'aria-invalid': invalid, value: block[name] ?? '' };
        return lines ? (
          <textarea {...same} rows={3} onInput={(event) => change({ [name]: event.currentTarget.value })} />
        ) : (
          <input {...same} onInput={(event) => change({ [name]: event.currentTarget.value })} />
        );
      }}
    </Field>
  );
}

function Picture({ block, at, form, change }: BlockProps) {
  return (
    <Field label={t('Picture')} errors={form.errors[`blocks.${at}.image_id`]} group>
      {() => <MediaOne value={block.image_id} set={(image_id) => change({ image_id })} />}
    </Field>
  );
}

function SourceOf({ block, at, form, change }: BlockProps) {
  const path = paths[block.source];
  const read = useRead(
    path ? `${path}?by-name` : null,
    async () => (await json<Values[]>('get', path!, { params: { per_page: 100, orderby: 'name', order: 'asc' } })).data,
  );
  if (!path) return null;
  return (
    <Field label={t('Which one')} errors={form.errors[`blocks.${at}.source_slug`]}>
      {({ id, describedby, invalid }) => (
        <select
          id={id}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={block.source_slug ?? ''}
          onChange={(event) => change({ source_slug: event.currentTarget.value })}
        >
          <option value="">{t('Choose')}</option>
          {(read.data ?? []).map((one) => (
            <option key={one.slug} value={one.slug}>
              {one.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function TripsBlock(props: BlockProps) {
  const { block, at, form, change } = props;
  return (
    <>
      <Words {...props} name="heading" label={t('Heading')} />
      <Field label={t('Which trips')} errors={form.errors[`blocks.${at}.source`]}>
        {({ id, describedby, invalid }) => (
          <select
            id={id}
            aria-describedby={describedby}
            aria-invalid={invalid}
            value={block.source ?? 'all'}
            onChange={(event) => change({ source: event.currentTarget.value, source_slug: '' })}
          >
            {sources.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <SourceOf {...props} />
      {block.source === 'chosen' ? (
        <Field label={t('Trips')} errors={form.errors[`blocks.${at}.trip_ids`]} group>
          {({ id }) => (
            <PickMany id={id} list="/trips" value={block.trip_ids ?? []} onPick={(trip_ids) => change({ trip_ids })} />
          )}
        </Field>
      ) : (
        <Field label={t('At most')}>
          {({ id }) => (
            <input
              id={id}
              type="number"
              min={1}
              max={12}
              value={block.count ?? 6}
              onInput={(event) => change({ count: Number(event.currentTarget.value) || 6 })}
            />
          )}
        </Field>
      )}
    </>
  );
}

function Items({ block, at, form, change }: BlockProps) {
  const rows: Values[] = block.items ?? [];
  const cell = (row: Values, own: (some: Values) => void, place: number, name: string, label: string) => (
    <Field label={label} errors={form.errors[`blocks.${at}.items.${place}.${name}`]}>
      {({ id, describedby, invalid }) => (
        <textarea
          id={id}
          rows={2}
          aria-describedby={describedby}
          aria-invalid={invalid}
          value={row[name] ?? ''}
          onInput={(event) => own({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  const asks = block.type === 'questions';
  const first = asks ? t('Question') : t('Fact');
  const second = asks ? t('Answer') : t('Value');
  return (
    <ListEditor
      name={kinds[block.type]!}
      columns={[
        { label: first, cell: (row, own, place) => cell(row, own, place, 'title', `${first} ${place + 1}`) },
        { label: second, cell: (row, own, place) => cell(row, own, place, 'text', `${second} ${place + 1}`) },
      ]}
      rows={rows}
      put={(items) => change({ items })}
      called={(row, place) => row.title || `${first} ${place + 1}`}
      fresh={() => ({ title: '', text: '' })}
      add={asks ? t('Add a question') : t('Add a fact')}
      moves
    />
  );
}

function Fields(props: BlockProps) {
  const { block, at, form, change } = props;
  const heading = <Words {...props} name="heading" label={t('Heading')} />;
  const button = (
    <>
      <Words {...props} name="label" label={t('Words on the button')} />
      <Words
        {...props}
        name="url"
        label={t('Address that it opens')}
        help={t('/trip, or one that begins with https://')}
      />
    </>
  );
  switch (block.type) {
    case 'hero':
      return (
        <>
          {heading}
          <Words {...props} name="text" label={t('Sentence below it')} lines />
          <Picture {...props} />
          {button}
        </>
      );
    case 'text':
      return (
        <>
          {heading}
          <Rich
            label={t('Text')}
            value={block.text}
            set={(text) => change({ text })}
            errors={form.errors[`blocks.${at}.text`]}
            required
          />
        </>
      );
    case 'picture':
      return (
        <>
          <Picture {...props} />
          <Words {...props} name="image_alt" label={t('What it shows, for those who cannot see it')} />
          <Words {...props} name="heading" label={t('Caption')} />
        </>
      );
    case 'trips':
      return <TripsBlock {...props} />;
    case 'quote':
      return (
        <>
          <Words {...props} name="text" label={t('Quoted words')} lines />
          <Words {...props} name="label" label={t('Who said it')} />
        </>
      );
    case 'button':
      return button;
    default:
      return (
        <>
          {heading}
          <Items {...props} />
          {(form.errors[`blocks.${at}.items`] ?? []).map((said) => (
            <p class="svc-error" key={said}>
              {said}
            </p>
          ))}
        </>
      );
  }
}

let made = 0;

export function Blocks({ form }: { form: Form }) {
  const rows: Values[] = form.values.blocks ?? [];
  // An editor stays with its block when blocks move.
  const keys = useRef<number[]>([]);
  while (keys.current.length < rows.length) keys.current.push(++made);
  keys.current.length = rows.length;
  const put = (next: Values[]) => form.set('blocks', next);
  const move = (from: number, to: number) => {
    keys.current = moved(keys.current, from, to);
    put(moved(rows, from, to));
  };
  const add = (type: string) => {
    const block = { type, ...(type === 'trips' ? { source: 'all', count: 6 } : {}) };
    if (type === 'hero') keys.current.unshift(++made);
    put(type === 'hero' ? [block, ...rows] : [...rows, block]);
  };
  const offered = Object.entries(kinds).filter(([type]) => type !== 'hero' || rows[0]?.type !== 'hero');
  return (
    <>
      {!rows.length && (
        <Empty>{t('The page is empty. Begin with an opening: a picture, a heading and a sentence.')}</Empty>
      )}
      {rows.map((block, at) => {
        const called = t('Block {0}: {1}', at + 1, kinds[block.type] ?? block.type);
        return (
          <fieldset class="svc-group" key={keys.current[at]}>
            <legend>{called}</legend>
            <Fields
              block={block}
              at={at}
              form={form}
              change={(some) => put(rows.map((each, index) => (index === at ? { ...each, ...some } : each)))}
            />
            {(form.errors[`blocks.${at}.type`] ?? []).map((said) => (
              <p class="svc-error" key={said}>
                {said}
              </p>
            ))}
            <div class="svc-actions">
              <span class="svc-gap" />
              <Button
                kind="quiet"
                icon={<ArrowUp size={16} aria-hidden />}
                aria-label={t('{0} earlier', called)}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              />
              <Button
                kind="quiet"
                icon={<ArrowDown size={16} aria-hidden />}
                aria-label={t('{0} later', called)}
                disabled={at === rows.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <Button
                kind="quiet"
                icon={<Trash2 size={16} aria-hidden />}
                aria-label={t('Remove {0}', called)}
                onClick={() => {
                  keys.current.splice(at, 1);
                  put(rows.filter((_, index) => index !== at));
                }}
              />
            </div>
          </fieldset>
        );
      })}
      <Menu
        label={t('Add a block')}
        icon={<Plus size={16} aria-hidden />}
        items={offered.map(([type, label]) => ({ label, run: () => add(type) }))}
      />
    </>
  );
}
