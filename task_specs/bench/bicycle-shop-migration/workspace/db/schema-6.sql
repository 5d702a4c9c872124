-- What the old app makes (6, since app 1.2). Nothing is enforced.
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, phone TEXT, email TEXT, since TEXT, flag TEXT);
CREATE TABLE bike (id INTEGER PRIMARY KEY, cust INTEGER, descr TEXT, frame TEXT);
CREATE TABLE job (no INTEGER PRIMARY KEY, bike INTEGER, taken TEXT, promised TEXT, done TEXT, state TEXT, price TEXT,
                  parts TEXT, note TEXT, ver TEXT);
CREATE TABLE part (code TEXT, name TEXT, price TEXT);
PRAGMA user_version = 6;
