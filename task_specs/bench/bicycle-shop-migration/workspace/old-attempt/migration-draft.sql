-- draft, 26 June, before half of the decisions. Not run anywhere. M.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, phone TEXT, email TEXT, since TEXT);
INSERT INTO customers VALUES (0, 'Unknown', NULL, NULL, NULL);
INSERT INTO customers
  SELECT min(id), name, replace(replace(phone, ' ', ''), '+44', '0'), max(email), min(since)
  FROM customer GROUP BY replace(replace(phone, ' ', ''), '+44', '0');
CREATE TABLE bikes (id INTEGER PRIMARY KEY, customer_id INTEGER, description TEXT, frame_no TEXT);
INSERT INTO bikes SELECT id, ifnull(cust, 0), descr, upper(frame) FROM bike;
CREATE TABLE jobs (id INTEGER PRIMARY KEY, bike_id INTEGER, received TEXT, finished TEXT, status TEXT, labour_pence INTEGER);
INSERT INTO jobs
  SELECT no, bike, date(taken), date(done),
         CASE state WHEN 'O' THEN 'open' WHEN 'W' THEN 'waiting' WHEN 'F' THEN 'done' WHEN 'C' THEN 'collected' ELSE 'cancelled' END,
         CASE WHEN cast(ver AS REAL) >= 2.4 THEN cast(100 * price AS INTEGER) ELSE cast(price AS INTEGER) END
  FROM job;
-- parts: ??? recursive something
