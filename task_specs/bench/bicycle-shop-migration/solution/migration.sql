-- Schema 6 to schema 7, by docs/decisions.md. Run once on a copy: python3 tools/run_sql.py DATABASE migration.sql
PRAGMA foreign_keys = OFF;
BEGIN;

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

-- D-06: every date there is, with its ISO form where the calendar has it
CREATE TEMP TABLE dates AS
WITH raw AS (
  SELECT 'since' AS field, id, trim(since) AS text FROM customer
  UNION ALL SELECT 'taken', no, trim(taken) FROM job
  UNION ALL SELECT 'done', no, trim(done) FROM job
),
cut AS (
  SELECT *, instr(text, '/') AS first, instr(substr(text, instr(text, '/') + 1), '/') + instr(text, '/') AS second
  FROM raw WHERE text <> '' AND text <> '0000-00-00'
),
iso AS (
  SELECT field, id,
    CASE
      WHEN text GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' THEN text
      WHEN text GLOB '[0-9]/[0-9]/[0-9][0-9]' OR text GLOB '[0-9][0-9]/[0-9]/[0-9][0-9]'
        OR text GLOB '[0-9]/[0-9][0-9]/[0-9][0-9]' OR text GLOB '[0-9][0-9]/[0-9][0-9]/[0-9][0-9]'
        THEN printf('20%s-%02d-%02d', substr(text, second + 1), substr(text, first + 1, second - first - 1), substr(text, 1, first - 1))
    END AS day
  FROM cut
)
SELECT field, id, CASE WHEN date(day, '+0 days') = day THEN day END AS day FROM iso;

-- D-04: the digits of every phone
CREATE TEMP TABLE phones AS
WITH RECURSIVE walk (id, rest, digits) AS (
  SELECT id, phone, '' FROM customer WHERE trim(phone) <> ''
  UNION ALL
  SELECT id, substr(rest, 2), digits || iif(substr(rest, 1, 1) GLOB '[0-9]', substr(rest, 1, 1), '') FROM walk WHERE rest <> ''
),
cut AS (
  SELECT id, digits,
    CASE WHEN digits LIKE '0044%' THEN substr(digits, 5) WHEN digits LIKE '44%' THEN substr(digits, 3) END AS inland
  FROM walk WHERE rest = ''
),
whole AS (
  SELECT id, CASE WHEN inland IS NULL THEN digits WHEN inland LIKE '0%' THEN inland ELSE '0' || inland END AS number FROM cut
)
SELECT id, iif(length(number) = 11 AND number LIKE '0%', number, NULL) AS number FROM whole;

-- D-02, D-03, D-14
CREATE TEMP TABLE people AS
WITH named AS (
  SELECT id, upper(trim(flag)) AS flag, nullif(trim(email), '') AS email, nullif(trim(name), '') AS name,
    length(name) - length(replace(name, ',', '')) AS commas, instr(trim(name), ',') AS comma
  FROM customer
)
SELECT named.id, ifnull(flag, '') AS flag, ifnull(flag, '') = 'D' AS erased,
  CASE
    WHEN flag = 'D' THEN 'Erased'
    WHEN named.name IS NULL THEN 'No name'
    WHEN commas = 1 THEN trim(trim(substr(named.name, comma + 1)) || ' ' || trim(substr(named.name, 1, comma - 1)))
    ELSE named.name
  END AS name,
  iif(flag = 'D', NULL, phones.number) AS phone,
  iif(flag = 'D', NULL, email) AS email,
  iif(flag = 'D', NULL, dates.day) AS since
FROM named
LEFT JOIN phones ON phones.id = named.id
LEFT JOIN dates ON dates.id = named.id AND dates.field = 'since';

INSERT INTO review
SELECT 'customer', id, 'phone' FROM phones JOIN people USING (id) WHERE number IS NULL AND NOT erased
UNION
SELECT 'customer', id, 'date' FROM dates JOIN people USING (id) WHERE field = 'since' AND day IS NULL AND NOT erased;

-- D-11
CREATE TEMP TABLE became AS
SELECT id,
  iif(phone IS NULL OR flag IN ('T', 'D'), id,
    (SELECT min(other.id) FROM people AS other
     WHERE other.phone = people.phone AND lower(other.name) = lower(people.name) AND other.flag NOT IN ('T', 'D'))) AS customer
FROM people;

INSERT INTO customers
SELECT id, name, phone,
  (SELECT email FROM people AS other JOIN became USING (id)
   WHERE became.customer = people.id AND email IS NOT NULL ORDER BY other.id LIMIT 1),
  (SELECT min(since) FROM people AS other JOIN became USING (id) WHERE became.customer = people.id)
FROM people
WHERE id IN (SELECT customer FROM became);

-- D-12, D-13
INSERT INTO review
SELECT 'bike', id, 'customer' FROM bike WHERE cust IS NULL OR cust NOT IN (SELECT id FROM customer);

CREATE TEMP TABLE frames AS
SELECT bike.id, customer, nullif(trim(descr), '') AS description,
  upper(replace(replace(replace(frame, ' ', ''), '-', ''), '.', '')) AS frame_no
FROM bike JOIN became ON became.id = bike.cust;
UPDATE frames SET frame_no = NULL WHERE frame_no IN ('NONE', 'N/A', 'UNKNOWN', '?', '');

CREATE TEMP TABLE bike_became AS
SELECT id,
  ifnull((SELECT min(other.id) FROM frames AS other WHERE other.customer = frames.customer AND other.frame_no = frames.frame_no), id) AS bike
FROM frames;

INSERT INTO bikes
SELECT id, customer,
  (SELECT description FROM frames AS other JOIN bike_became USING (id)
   WHERE bike_became.bike = frames.id AND description IS NOT NULL ORDER BY other.id LIMIT 1),
  frame_no
FROM frames
WHERE id IN (SELECT bike FROM bike_became);

-- D-08, D-16: the price as text without its pound sign, and whether it is in pounds
CREATE TEMP TABLE prices AS
WITH typed AS (
  SELECT no, upper(trim(price)) AS text,
    CAST(substr(ver, 1, instr(ver, '.') - 1) AS INTEGER) * 1000 + CAST(substr(ver, instr(ver, '.') + 1) AS INTEGER) >= 2009 AS late
  FROM (SELECT no, price, trim(ver) AS ver FROM job)
),
bare AS (
  SELECT no, iif(text LIKE '£%', trim(substr(text, 2)), text) AS text, text LIKE '£%' OR ifnull(late, 0) AS pounds FROM typed
),
cut AS (
  SELECT no, pounds, text, replace(text, ',', '.') AS amount, instr(replace(text, ',', '.'), '.') AS point FROM bare
)
SELECT no,
  CASE
    WHEN ifnull(text, '') IN ('', 'FREE', 'WARRANTY') THEN 0
    WHEN point = 0 AND text NOT GLOB '*[^0-9]*' THEN CAST(text AS INTEGER) * iif(pounds, 100, 1)
    WHEN pounds AND point > 1 AND length(amount) - point IN (1, 2)
      AND substr(amount, 1, point - 1) NOT GLOB '*[^0-9]*' AND substr(amount, point + 1) NOT GLOB '*[^0-9]*'
      THEN CAST(substr(amount, 1, point - 1) || substr(substr(amount, point + 1) || '0', 1, 2) AS INTEGER)
  END AS pence
FROM cut;

-- D-06, D-09, D-12
INSERT INTO review
SELECT 'job', no, 'bike' FROM job WHERE bike IS NULL OR bike NOT IN (SELECT id FROM bike_became)
UNION
SELECT 'job', no, 'date' FROM job WHERE no NOT IN (SELECT id FROM dates WHERE field = 'taken' AND day IS NOT NULL);

INSERT INTO jobs
SELECT no, bike_became.bike, taken.day, done.day,
  CASE upper(trim(state))
    WHEN 'O' THEN 'open'
    WHEN 'W' THEN 'waiting'
    WHEN 'K' THEN 'waiting'
    WHEN 'F' THEN 'done'
    WHEN 'C' THEN 'collected'
    WHEN 'X' THEN 'cancelled'
    WHEN 'Z' THEN 'cancelled'
    ELSE iif(done.day IS NULL, 'open', 'collected')
  END,
  ifnull(pence, 0),
  nullif(trim(note), '')
FROM job
JOIN bike_became ON bike_became.id = job.bike
JOIN dates AS taken ON taken.field = 'taken' AND taken.id = no AND taken.day IS NOT NULL
LEFT JOIN dates AS done ON done.field = 'done' AND done.id = no
JOIN prices USING (no);

INSERT INTO review
SELECT 'job', id, 'date' FROM dates WHERE field = 'done' AND day IS NULL AND id IN (SELECT id FROM jobs)
UNION
SELECT 'job', no, 'price' FROM prices WHERE pence IS NULL AND no IN (SELECT id FROM jobs);

-- D-10
CREATE TEMP TABLE items AS
WITH RECURSIVE walk (no, place, item, rest) AS (
  SELECT no, 0, '', upper(replace(parts, ' ', '')) || ';' FROM job WHERE parts IS NOT NULL
  UNION ALL
  SELECT no, place + 1, substr(rest, 1, instr(rest, ';') - 1), substr(rest, instr(rest, ';') + 1) FROM walk WHERE rest <> ''
),
cut AS (
  SELECT no, place, item, rtrim(item, '0123456789') AS head FROM walk WHERE item <> ''
)
SELECT no, place,
  iif(head LIKE '%X' AND head <> item, substr(head, 1, length(head) - 1), item) AS sku,
  iif(head LIKE '%X' AND head <> item, CAST(substr(item, length(head) + 1) AS INTEGER), 1) AS quantity
FROM cut
WHERE no IN (SELECT id FROM jobs);

INSERT OR IGNORE INTO review
SELECT 'job', no, 'part' FROM items WHERE sku NOT IN (SELECT upper(trim(code)) FROM part WHERE code IS NOT NULL);

INSERT INTO job_parts
SELECT no, row_number() OVER (PARTITION BY no ORDER BY min(place)), sku, sum(quantity)
FROM items
WHERE sku IN (SELECT upper(trim(code)) FROM part)
GROUP BY no, sku;

DROP TABLE dates;
DROP TABLE phones;
DROP TABLE people;
DROP TABLE became;
DROP TABLE frames;
DROP TABLE bike_became;
DROP TABLE prices;
DROP TABLE items;
DROP TABLE job;
DROP TABLE bike;
DROP TABLE customer;
DROP TABLE part;
PRAGMA user_version = 7;
COMMIT;
