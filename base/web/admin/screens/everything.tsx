// Every route that the signed-in role may call, to search and to run: what has no screen of its own is still usable.
import { useState } from 'preact/hooks';

import { words } from '../../kit/format';
import { t } from '../../kit/i18n';
import { type Operation, operations } from '../../kit/interface';
import { may } from '../../kit/session';
import { Empty } from '../../kit/ui';
import { Head } from '../../kit/page';
import { ActionDialog } from '../action';

export default function Everything() {
  const [text, setText] = useState('');
  const [open, setOpen] = useState<Operation | null>(null);
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = operations.value.filter((one) => {
    if (!may(one.permission) || one.deprecated) return false;
    const said = `${one.summary} ${one.path} ${one.id} ${one.tag} ${words(one.tag)}`.toLowerCase();
    return asked.every((word) => said.includes(word));
  });
  const groups = new Map<string, Operation[]>();
  for (const hit of hits) groups.set(hit.tag, [...(groups.get(hit.tag) ?? []), hit]);
  return (
    <div class="svc-page">
      <Head title={t('Everything')} sub={t('Each action of the interface that your role may use.')} />
      <div class="svc-bar">
        <input
          type="search"
          data-search
          aria-label={t('Search actions')}
          placeholder={t('Search actions')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span>{t('{0} actions', hits.length)}</span>
      </div>
      {!hits.length && <Empty>{t('Nothing matches.')}</Empty>}
      {[...groups].map(([tag, all]) => (
        <details class="svc-section" key={tag} open={asked.length > 0}>
          <summary>
            {words(tag)} <small>{all.length}</small>
          </summary>
          <ul class="svc-rows">
            {all.map((one) => (
              <li key={one.id}>
                <button type="button" onClick={() => setOpen(one)}>
                  <span>{one.summary}</span>
                  <code>
                    {one.method.toUpperCase()} {one.path}
                  </code>
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      {open && <ActionDialog found={open} params={{}} onClose={() => setOpen(null)} />}
    </div>
  );
}
