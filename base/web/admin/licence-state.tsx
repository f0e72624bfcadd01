// The state of the licence: one sentence, and the step that follows.
import type { ComponentChildren } from 'preact';

import { moment, words } from '../kit/format';
import { t } from '../kit/i18n';
import { Notice } from '../kit/ui';

interface State {
  code: string;
  since: string | null;
  until: string | null;
  modules: string[];
}

const warned = ['evaluation', 'stored', 'ending', 'grace', 'unreached', 'plan_lowered'];
const good = ['none', 'active'];

// `plan`: its name, where the licence has one.
function sentence({ code, since, until, modules }: State, plan: string): string {
  const on = t('Modules that are on keep working; none can be turned on.');
  switch (code) {
    case 'evaluation':
      return t('The evaluation runs until {0}. Then its modules go off; their data stays.', moment(until));
    case 'evaluation_over':
      return t('The evaluation ended on {0}. Its modules are off; their data is kept.', moment(since));
    case 'stored':
      return t('The key is stored and not activated on this installation.');
    case 'deactivated':
      return `${t('This installation was deactivated elsewhere; that is known since {0}.', moment(since))} ${on}`;
    case 'active':
      return until
        ? t('The licence is active until {0}.', moment(until))
        : t('The licence is active and does not end.');
    case 'ending':
      return t('The licence ends on {0}. Renew it to keep turning on modules and getting updates.', moment(until));
    case 'grace':
      return t(
        'The licence ended on {0}, and its server was not reached since. Until {1} everything works as before.',
        moment(since),
        moment(until),
      );
    case 'expired':
      return `${since ? t('The licence ended on {0}; there are no more updates.', moment(since)) : t('The licence has ended; there are no more updates.')} ${on}`;
    case 'disabled':
      return `${t('The licence server has disabled this licence. Ask who sold it to you.')} ${on}`;
    case 'invalid':
      return `${t('The licence server does not know this key any more.')} ${on}`;
    case 'unreached':
      return t('The licence server has not answered since {0}. Everything works as before.', moment(since));
    case 'plan_lowered':
      return t(
        'The plan {0} does not have these modules: {1}. They keep working; once turned off, they cannot be turned on again.',
        plan,
        modules.map(words).join(', '),
      );
    default:
      return t('There is no licence. Modules of Pro cannot be turned on.');
  }
}

export function LicenceState({ state, plan, children }: { state: State; plan: string; children: ComponentChildren }) {
  return (
    <>
      <Notice kind={good.includes(state.code) ? 'info' : warned.includes(state.code) ? 'warn' : 'bad'}>
        {sentence(state, plan)}
      </Notice>
      <p class="svc-actions">{children}</p>
    </>
  );
}
