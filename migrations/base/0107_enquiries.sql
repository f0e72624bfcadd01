-- What visitors ask before they book. A referrer, a keyed hash of the address and the browser say where it came from.
CREATE TABLE svc_enquiries (
    id {{id}},
    trip_id BIGINT REFERENCES svc_trips(id) ON DELETE SET NULL,
    customer_id BIGINT REFERENCES svc_customers(id) ON DELETE SET NULL,
    booking_id BIGINT REFERENCES svc_bookings(id) ON DELETE SET NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    email TEXT NOT NULL,
    email_lower TEXT NOT NULL,
    phone TEXT NOT NULL DEFAULT '',
    message TEXT NOT NULL,
    travel_date TEXT,
    travelers_count BIGINT CHECK (travelers_count >= 1),
    traveler_counts TEXT,
    status TEXT NOT NULL CHECK (status IN ('new', 'pending', 'responded', 'completed', 'converted', 'closed', 'spam',
        'trash', 'read', 'archived')),
    status_before_trash TEXT,
    response_notes TEXT,
    responded_at BIGINT,
    responded_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    source TEXT NOT NULL,
    referrer TEXT NOT NULL DEFAULT '',
    ip_hash TEXT NOT NULL DEFAULT '',
    user_agent TEXT NOT NULL DEFAULT '',
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    deleted_at BIGINT,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_enquiries_created ON svc_enquiries (created_at, id);
CREATE INDEX svc_enquiries_status ON svc_enquiries (status, created_at, id);
CREATE INDEX svc_enquiries_trip ON svc_enquiries (trip_id);
CREATE INDEX svc_enquiries_customer ON svc_enquiries (customer_id);
CREATE INDEX svc_enquiries_booking ON svc_enquiries (booking_id);
CREATE INDEX svc_enquiries_email ON svc_enquiries (email_lower);
