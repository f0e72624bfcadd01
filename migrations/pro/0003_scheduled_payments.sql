-- What is charged later of bookings that were paid in part, and why nothing is of the others.
CREATE TABLE svc_scheduled_payments (
    id {{id}},
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    plan_no BIGINT NOT NULL CHECK (plan_no >= 1),
    sequence_no BIGINT NOT NULL CHECK (sequence_no >= 1),
    -- link: nothing is charged by it; the customer was sent the address that the balance is paid at.
    kind TEXT NOT NULL CHECK (kind IN ('charge', 'link')),
    payment_type TEXT NOT NULL CHECK (payment_type IN ('balance', 'installment')),
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    -- The booking's total that the amounts were split for: another one splits them anew.
    planned_total_minor BIGINT NOT NULL CHECK (planned_total_minor >= 0),
    scheduled_date TEXT NOT NULL,
    -- How long before the tour, whichever day that is on; NULL: the day stands by itself.
    days_before_tour BIGINT CHECK (days_before_tour >= 0),
    -- processing: claimed by the job; the gateway may have been asked.
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'processing', 'paid', 'failed', 'cancelled')),
    -- Those that failed; the next one's key at the gateway is sched:{id}:{attempts + 1}.
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    max_attempts BIGINT NOT NULL CHECK (max_attempts >= 1),
    next_attempt_at BIGINT,
    last_attempt_at BIGINT,
    -- What the present attempt asks for: the same again under the same key.
    asked_minor BIGINT CHECK (asked_minor > 0),
    permanent_failure BIGINT NOT NULL DEFAULT 0 CHECK (permanent_failure IN (0, 1)),
    last_error TEXT NOT NULL DEFAULT '',
    gateway TEXT NOT NULL DEFAULT '',
    saved_method_id BIGINT REFERENCES svc_saved_payment_methods(id) ON DELETE SET NULL,
    payment_id BIGINT UNIQUE REFERENCES svc_payments(id) ON DELETE SET NULL,
    reminder_sent_at BIGINT,
    link_sent_at BIGINT,
    cancelled_at BIGINT,
    cancelled_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    cancel_reason TEXT CHECK (cancel_reason IN ('refund', 'cancelled', 'trashed', 'paid_in_full', 'admin')),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (booking_id, plan_no, sequence_no)
);
CREATE INDEX svc_scheduled_payments_booking ON svc_scheduled_payments (booking_id, status);
CREATE INDEX svc_scheduled_payments_due ON svc_scheduled_payments (status, scheduled_date);

-- Why the first part payment of a booking was followed by no plan.
CREATE TABLE svc_unscheduled_bookings (
    booking_id BIGINT NOT NULL PRIMARY KEY REFERENCES svc_bookings(id) ON DELETE CASCADE,
    reason TEXT NOT NULL CHECK (reason IN ('guest_booking', 'no_saved_method', 'gateway_unsupported', 'travel_too_soon')),
    noted_at BIGINT NOT NULL
);
