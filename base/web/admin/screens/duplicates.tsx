// Records that may be one person, by mailbox, telephone, or name and birthday.
import { useState } from 'preact/hooks';

import { api } from '../../kit/client';
import { day, money } from '../../kit/format';
import { t } from '../../kit/i18n';
import { can } from '../../kit/interface';
import { useRead } from '../../kit/query';
import { Button, Empty, Loaded } from '../../kit/ui';
import { Head, Section } from '../../kit/page';
import { Merge } from './customer';

const reasons: Record<string, string> = {
  email: t('Same mailbox'),
  phone: t('Same telephone'),
  name_and_birthday: t('Same name and birthday'),
};

export default function Duplicates() {
  const read = useRead('/customers/duplicates', () => api.get('/customers/duplicates', {}));
  const [merging, setMerging] = useState<{ customer: Record<string, any>; into: number } | null>(null);
  return (
    <div class="svc-page">
      <Head
        title={t('Possible duplicates')}
        back={{ href: '/admin/customers', label: t('Customers') }}
        sub={t('Look at both before merging: a family may share a telephone.')}
      />
      <Loaded read={read} rows={6}>
        {(groups) =>
          groups.length ? (
            <>
              {groups.map((group, at) => {
                const all = (group.customers ?? []) as Record<string, any>[];
                const first = all[0];
                return (
                  <Section key={at} title={reasons[group.reason ?? ''] ?? group.reason}>
                    <ul class="svc-rows">
                      {all.map((one) => (
                        <li key={one.id}>
                          <a href={`/admin/customers/${one.id}`}>
                            <b>{one.name}</b>
                            <span>
                              {[
                                one.email,
                                one.phone,
                                one.last_booking_date && t('booked last {0}', day(one.last_booking_date)),
                              ]
                                .filter(Boolean)
                                .join(' · ')}
                            </span>
                            {one.total_spent !== undefined && <span class="svc-end">{money(one.total_spent)}</span>}
                          </a>
                          {first && one !== first && can('post', '/customers/merge') && (
                            <Button
                              aria-label={t('Merge {0} into {1}', one.email || one.name, first.email || first.name)}
                              onClick={() => setMerging({ customer: one, into: first.id })}
                            >
                              {t('Merge into the first')}
                            </Button>
                          )}
                        </li>
                      ))}
                    </ul>
                  </Section>
                );
              })}
            </>
          ) : (
            <Empty>{t('No two records look like one person.')}</Empty>
          )
        }
      </Loaded>
      {merging && (
        <Merge customer={merging.customer} into={merging.into} onClose={() => (setMerging(null), read.again())} />
      )}
    </div>
  );
}
