-- What the new till expects. Names, types, keys and references are to be exactly these; the till looks.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  phone TEXT,
  email TEXT,
  since TEXT
);
CREATE TABLE bikes (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  description TEXT,
  frame_no TEXT
);
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  bike_id INTEGER NOT NULL REFERENCES bikes (id),
  received TEXT NOT NULL,
  finished TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'waiting', 'done', 'collected', 'cancelled')),
  labour_pence INTEGER NOT NULL,
  note TEXT
);
CREATE TABLE job_parts (
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  line INTEGER NOT NULL,
  sku TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (job_id, line)
);
CREATE TABLE review (
  source TEXT NOT NULL,
  source_id INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (source, source_id, reason)
);
PRAGMA user_version = 7;
