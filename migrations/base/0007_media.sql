-- Files that staff uploaded: pictures and documents. The bytes lie in the data folder under their SHA-256.
CREATE TABLE svc_media (
    id {{id}},
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    -- A public file is served to everyone who knows its number, a private one by signed links alone.
    is_private BIGINT NOT NULL CHECK (is_private IN (0, 1)),
    original_name TEXT NOT NULL CHECK (original_name <> ''),
    mime_type TEXT NOT NULL CHECK (mime_type <> ''),
    byte_size BIGINT NOT NULL CHECK (byte_size > 0),
    -- Of pictures alone.
    width BIGINT CHECK (width > 0),
    height BIGINT CHECK (height > 0),
    alt_text TEXT NOT NULL,
    caption TEXT NOT NULL,
    uploaded_by BIGINT REFERENCES svc_users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    CHECK ((width IS NULL) = (height IS NULL))
);
-- The same bytes are one file, once public and once private at most.
CREATE UNIQUE INDEX svc_media_content ON svc_media (sha256, is_private);
