// The evaluation of Pro: the days that are left, on every page, and what begins with it.
import { signal } from '@preact/signals';

import { api, json } from '../kit/client';
import { t } from '../kit/i18n';
import { load_interface } from '../kit/interface';
import { changed } from '../kit/query';

export const evaluation_end = signal(''); // an instant; empty while no evaluation runs

const day = 86_400_000;

export function EvaluationBanner() {
  const days = Math.ceil((Date.parse(evaluation_end.value || '1970-01-01') - Date.now()) / day);
  if (days <= 0) return null;
  return (
    <p class="svc-evaluation">
      {t('Evaluation, {0, plural, one {# day left} other {# days left}}', Math.min(days, 30))}
    </p>
  );
}

// It has begun: its modules are turned on and the banner is shown.
export async function evaluation_began() {
  const license = await json<any>('get', '/license');
  evaluation_end.value = license.data.evaluation?.ends_at ?? '';
  const off = (await api.get('/modules', {})).filter((one) => one.requires_pro && one.is_available && !one.enabled);
  if (off.length)
    await api.post('/modules/bulk-toggle', {}, { items: off.map((one) => ({ slug: one.slug!, enabled: true })) });
  await load_interface(true);
  await changed('/license', '/modules', '/settings');
}
