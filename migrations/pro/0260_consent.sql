-- Forms that travelers sign before a trip, whom they were sent to, and what was signed.
CREATE TABLE svc_consent_forms (
    id {{id}},
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK (status IN ('publish', 'draft', 'archived', 'trash')),
    -- Of the text: grows whenever that changes.
    version BIGINT NOT NULL CHECK (version >= 1),
    sha256 TEXT NOT NULL,
    require_signature BIGINT NOT NULL CHECK (require_signature IN (0, 1)),
    require_initials BIGINT NOT NULL CHECK (require_initials IN (0, 1)),
    applicable_to TEXT NOT NULL CHECK (applicable_to IN ('all', 'specific_trips')),
    send_to TEXT NOT NULL CHECK (send_to IN ('all_travelers', 'lead_traveler', 'primary_contact')),
    send_before_days BIGINT NOT NULL CHECK (send_before_days BETWEEN 0 AND 365),
    reminder_days TEXT NOT NULL,
    -- NULL: links end with the trip.
    expiry_hours BIGINT CHECK (expiry_hours BETWEEN 1 AND 8760),
    fields TEXT NOT NULL,
    content_blocks TEXT NOT NULL,
    search TEXT NOT NULL,
    row_version BIGINT NOT NULL DEFAULT 1,
    status_before_trash TEXT,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    created_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    updated_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL
);
CREATE INDEX svc_consent_forms_status ON svc_consent_forms (status, id);

CREATE TABLE svc_consent_form_trips (
    form_id BIGINT NOT NULL REFERENCES svc_consent_forms(id) ON DELETE CASCADE,
    trip_id BIGINT NOT NULL REFERENCES svc_trips(id) ON DELETE CASCADE,
    PRIMARY KEY (form_id, trip_id)
);
CREATE INDEX svc_consent_form_trips_trip ON svc_consent_form_trips (trip_id);

-- The text of each version as JSON: what was signed stays provable.
CREATE TABLE svc_consent_form_versions (
    form_id BIGINT NOT NULL REFERENCES svc_consent_forms(id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    snapshot TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (form_id, version)
);

CREATE TABLE svc_consent_requests (
    id {{id}},
    form_id BIGINT NOT NULL REFERENCES svc_consent_forms(id) ON DELETE CASCADE,
    form_version BIGINT NOT NULL,
    booking_id BIGINT NOT NULL REFERENCES svc_bookings(id) ON DELETE CASCADE,
    -- 0: the booking's contact.
    traveler_index BIGINT NOT NULL CHECK (traveler_index >= 0),
    booking_reference TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_lower TEXT NOT NULL,
    locale TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'signed', 'expired', 'revoked')),
    -- Why it was revoked: staff, booking, form, erased or withdrawn.
    end_reason TEXT NOT NULL DEFAULT '',
    sent_at BIGINT,
    viewed_at BIGINT,
    last_viewed_at BIGINT,
    -- E-mails with a link, reminders included: the key of the next one.
    mails_sent BIGINT NOT NULL DEFAULT 0,
    reminders_sent BIGINT NOT NULL DEFAULT 0,
    last_reminder_at BIGINT,
    expires_at BIGINT NOT NULL,
    -- 1: it ends with the trip, also when that is moved.
    ends_with_trip BIGINT NOT NULL CHECK (ends_with_trip IN (0, 1)),
    signed_at BIGINT,
    search TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX svc_consent_requests_once ON svc_consent_requests (form_id, booking_id, traveler_index)
    WHERE status <> 'revoked';
CREATE INDEX svc_consent_requests_booking ON svc_consent_requests (booking_id);
CREATE INDEX svc_consent_requests_status ON svc_consent_requests (status, expires_at);
CREATE INDEX svc_consent_requests_form ON svc_consent_requests (form_id, status);
CREATE INDEX svc_consent_requests_person ON svc_consent_requests (email_lower);
CREATE INDEX svc_consent_requests_age ON svc_consent_requests (created_at);

-- The links of a request, by the hashes of their secrets; each e-mail has one of its own.
CREATE TABLE svc_consent_links (
    token_hash TEXT NOT NULL PRIMARY KEY,
    request_id BIGINT NOT NULL REFERENCES svc_consent_requests(id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    -- Staff sent the request again, perhaps to another mailbox.
    ended_at BIGINT
);
CREATE INDEX svc_consent_links_request ON svc_consent_links (request_id);

-- No statement changes what was signed, but to delete what may no longer be kept.
CREATE TABLE svc_signed_consents (
    id {{id}},
    request_id BIGINT UNIQUE REFERENCES svc_consent_requests(id) ON DELETE SET NULL,
    form_id BIGINT NOT NULL REFERENCES svc_consent_forms(id),
    form_version BIGINT NOT NULL,
    form_name TEXT NOT NULL,
    booking_id BIGINT REFERENCES svc_bookings(id) ON DELETE SET NULL,
    booking_reference TEXT NOT NULL,
    trip_title TEXT NOT NULL,
    travel_date TEXT NOT NULL,
    end_date TEXT NOT NULL,
    traveler_index BIGINT NOT NULL,
    traveler_name TEXT NOT NULL,
    signer_name TEXT NOT NULL,
    signer_email TEXT NOT NULL,
    email_lower TEXT NOT NULL,
    signer_role TEXT NOT NULL CHECK (signer_role IN ('self', 'guardian')),
    guardian_relation TEXT,
    minor_name TEXT,
    -- Answers by field: those about health are sealed apart.
    form_data TEXT NOT NULL,
    sealed TEXT NOT NULL DEFAULT '',
    signature_type TEXT NOT NULL CHECK (signature_type IN ('drawn', 'typed', 'none')),
    locale TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    ip_address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    opened_at BIGINT,
    shown_seconds BIGINT,
    signed_at BIGINT NOT NULL,
    form_sha256 TEXT NOT NULL,
    -- Of all that was signed, with a random salt, so that the hash tells nothing once the data is gone.
    data_sha256 TEXT NOT NULL,
    salt TEXT NOT NULL,
    pdf_sha256 TEXT,
    status TEXT NOT NULL CHECK (status IN ('signed', 'expired', 'revoked')),
    revoked_at BIGINT,
    revoked_by BIGINT REFERENCES svc_users(id) ON DELETE SET NULL,
    revoked_reason TEXT,
    health_deleted_at BIGINT,
    erased_at BIGINT,
    search TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX svc_signed_consents_form ON svc_signed_consents (form_id, id);
CREATE INDEX svc_signed_consents_booking ON svc_signed_consents (booking_id);
CREATE INDEX svc_signed_consents_person ON svc_signed_consents (email_lower);
CREATE INDEX svc_signed_consents_end ON svc_signed_consents (end_date);
CREATE INDEX svc_signed_consents_age ON svc_signed_consents (created_at);

-- Pictures and PDF of a signed copy, apart from the rows that lists read. The PDF is sealed: it has all answers.
CREATE TABLE svc_signed_consent_files (
    id {{id}},
    signed_id BIGINT NOT NULL REFERENCES svc_signed_consents(id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('signature', 'initials', 'pdf')),
    content TEXT NOT NULL,
    booking_id BIGINT,
    email_lower TEXT NOT NULL,
    UNIQUE (signed_id, kind)
);
CREATE INDEX svc_signed_consent_files_person ON svc_signed_consent_files (email_lower);
CREATE INDEX svc_signed_consent_files_booking ON svc_signed_consent_files (booking_id);
