-- The plan that a customer saw when the booking was made. Charges follow it, and where nothing is charged by itself its
-- days are those by which the customer pays.
CREATE TABLE svc_payment_plan_parts (
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    number BIGINT NOT NULL CHECK (number >= 1),
    due_on TEXT NOT NULL,
    -- How long before the tour, whichever day that is on; NULL: the day stands by itself.
    days_before_tour BIGINT CHECK (days_before_tour >= 0),
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    PRIMARY KEY (booking_id, number)
);

-- The card and the day that the customer was last told of: "3 2027-02-01", the id of the method and the charge's day.
ALTER TABLE svc_scheduled_payments ADD COLUMN card_notice TEXT NOT NULL DEFAULT '';
-- What the booking owed when the present attempt began: a charge is not made where that has changed since.
ALTER TABLE svc_scheduled_payments ADD COLUMN owed_minor BIGINT CHECK (owed_minor > 0);
