// The evaluation of Pro: the days that are left, on every page.
import { signal } from '@preact/signals';

import { t } from '../kit/i18n';

export const evaluation_end = signal(''); // an instant; empty while no evaluation runs

const day = 86_400_000;

export function EvaluationBanner() {
  const days = Math.ceil((Date.parse(evaluation_end.value) - Date.now()) / day);
  if (!(days > 0)) return null;
  return (
    <p class="svc-evaluation">
      {t('Evaluation, {0, plural, one {# day left} other {# days left}}', Math.min(days, 30))}
    </p>
  );
}
