"""Another hand: helper columns on the old tables, UPDATE after UPDATE, windows and JSON; no transaction of its own; CSV by owner, quoted."""

import csv
import runpy
import sys
from pathlib import Path

SQL = r"""
pragma foreign_keys = off;
create table numbers as with recursive n(i) as (select 1 union all select i + 1 from n where i < 400) select i from n;

-- people
alter table customer add column tel text;
alter table customer add column bad int default 0;
alter table customer add column day text;
alter table customer add column head int;
update customer set name = nullif(trim(name), ''), phone = nullif(trim(phone), ''), email = nullif(trim(email), ''),
  since = nullif(nullif(trim(since), ''), '0000-00-00'), flag = coalesce(upper(trim(flag)), '');
update customer set name = 'No name' where name is null;
update customer set name = trim(substr(name, instr(name, ',') + 1)) || ' ' || trim(substr(name, 1, instr(name, ',') - 1))
  where name like '%,%' and name not like '%,%,%';
update customer set tel = coalesce((select group_concat(c, '') from (select substr(phone, i, 1) as c from numbers
  where i <= length(phone) and substr(phone, i, 1) between '0' and '9' order by i)), '') where phone is not null;
update customer set tel = case when substr(tel, 5, 1) = '0' then '' else '0' end || substr(tel, 5) where tel glob '0044*';
update customer set tel = case when substr(tel, 3, 1) = '0' then '' else '0' end || substr(tel, 3) where tel glob '44*';
update customer set bad = 1, tel = null where tel is not null and not (tel glob '0*' and length(tel) = 11);

-- dates: three columns, one list
create table days (owner text, id int, typed text, y int, m int, d int, iso text);
insert into days (owner, id, typed) select 'customer', id, since from customer where since is not null
  union all select 'taken', no, trim(taken) from job where trim(taken) not in ('', '0000-00-00')
  union all select 'done', no, trim(done) from job where trim(done) not in ('', '0000-00-00');
update days set y = substr(typed, 1, 4), m = substr(typed, 6, 2), d = substr(typed, 9)
  where length(typed) = 10 and replace(typed, '-', '') not glob '*[^0-9]*' and typed like '____-__-__';
update days set d = json_extract(list, '$[0]'), m = json_extract(list, '$[1]'), y = '20' || json_extract(list, '$[2]')
  from (select rowid as r, '["' || replace(typed, '/', '","') || '"]' as list from days
        where typed glob '[0-9]*/[0-9]*/[0-9][0-9]' and typed not glob '*[^0-9/]*'
        and length(typed) - length(replace(typed, '/', '')) = 2 and length(typed) <= 8) as cut
  where cut.r = days.rowid and length(json_extract(list, '$[0]')) < 3 and length(json_extract(list, '$[1]')) < 3;
update days set iso = printf('%04d-%02d-%02d', y, m, d)
  where m between 1 and 12 and d between 1 and 31 and strftime('%d', julianday(printf('%04d-%02d-%02d', y, m, d))) = printf('%02d', d);
update customer set day = (select iso from days where owner = 'customer' and days.id = customer.id);

create table review (source TEXT not null, source_id INTEGER not null, reason TEXT not null, primary key (source, source_id, reason));
insert into review select 'customer', id, 'phone' from customer where bad and flag <> 'D'
  union all select 'customer', days.id, 'date' from days join customer using (id) where owner = 'customer' and iso is null and flag <> 'D';
update customer set name = 'Erased', tel = null, email = null, day = null where flag = 'D';
update customer set head = id;
update customer set head = k.first from (select id as i, min(id) over (partition by tel, lower(name)) as first from customer
  where tel is not null and flag not in ('T', 'D')) as k where k.i = id;
create table customers (id INTEGER primary key, name TEXT not null, phone TEXT, email TEXT, since TEXT);
insert into customers
  select id, name, tel, (select email from customer as c where c.head = customer.id and email is not null order by c.id limit 1),
    (select min(day) from customer as c where c.head = customer.id)
  from customer where head = id;

-- bikes
alter table bike add column head int;
alter table bike add column owner int;
update bike set descr = nullif(trim(descr), ''), frame = replace(replace(replace(upper(frame), '.', ''), '-', ''), ' ', ''),
  owner = (select head from customer where id = cust);
update bike set frame = null where frame in ('', '?', 'N/A', 'NONE', 'UNKNOWN');
insert into review select 'bike', id, 'customer' from bike where owner is null;
update bike set head = coalesce((select min(id) from bike as b where b.owner = bike.owner and b.frame = bike.frame), id) where owner is not null;
create table bikes (id INTEGER primary key, customer_id INTEGER not null references customers (id), description TEXT, frame_no TEXT);
insert into bikes select id, owner, (select descr from bike as b where b.head = bike.id and descr is not null order by b.id limit 1), frame
  from bike where head = id;

-- jobs
alter table job add column head int;
alter table job add column got text;
alter table job add column back text;
alter table job add column pence int;
alter table job add column pounds int default 0;
update job set head = (select head from bike where id = job.bike), got = (select iso from days where owner = 'taken' and id = no),
  back = (select iso from days where owner = 'done' and id = no), price = lower(trim(coalesce(price, ''))),
  state = upper(trim(coalesce(state, ''))), ver = nullif(trim(ver), '');
update job set pounds = 1 where ver is not null and (cast(ver as int) > 2 or cast(ver as int) = 2 and cast(substr(ver, 3) as int) > 8);
update job set pounds = 1, price = trim(substr(price, 2)) where price like '£%';
update job set pence = 0 where price in ('', 'free', 'warranty') and not (pounds and price = '' and 0);
update job set pence = price where pence is null and not pounds and price not glob '*[^0-9]*';
update job set price = replace(price, ',', '.') where pounds;
update job set pence = price || '00' where pence is null and pounds and price not glob '*[^0-9]*';
update job set pence = replace(price, '.', '') || '0' where pence is null and pounds and price glob '[0-9]*.[0-9]' and replace(price, '.', '') || '0' not glob '*[^0-9]*'
  and length(replace(price, '.', '')) = length(price) - 1;
update job set pence = replace(price, '.', '') where pence is null and pounds and price glob '[0-9]*.[0-9][0-9]' and replace(price, '.', '') not glob '*[^0-9]*'
  and length(replace(price, '.', '')) = length(price) - 1;
insert into review select 'job', no, 'bike' from job where head is null;
insert into review select 'job', no, 'date' from job where got is null
  or head is not null and no in (select id from days where owner = 'done' and iso is null);
delete from job where head is null or got is null;
insert into review select 'job', no, 'price' from job where pence is null;
create table jobs (id INTEGER primary key, bike_id INTEGER not null references bikes (id), received TEXT not null, finished TEXT,
  status TEXT not null check (status in ('open', 'waiting', 'done', 'collected', 'cancelled')), labour_pence INTEGER not null, note TEXT);
insert into jobs select no, head, got, back,
  case when state = 'O' then 'open' when state in ('W', 'K') then 'waiting' when state = 'F' then 'done' when state = 'C' then 'collected'
    when state in ('X', 'Z') then 'cancelled' when back is null then 'open' else 'collected' end,
  coalesce(pence, 0), nullif(trim(note), '') from job;

create table item as select no, key as place, value as code, 1 as quantity
  from job, json_each('["' || replace(replace(upper(parts), ' ', ''), ';', '","') || '"]') where parts is not null and value <> '';
update item set quantity = cast(substr(code, length(rtrim(code, '1234567890')) + 1) as int),
  code = substr(code, 1, length(rtrim(code, '1234567890')) - 1) where rtrim(code, '1234567890') like '%X' and code not like '%X';
insert or ignore into review select 'job', no, 'part' from item where not exists (select 1 from part where upper(trim(part.code)) = item.code);
delete from item where not exists (select 1 from part where upper(trim(part.code)) = item.code);
create table job_parts (job_id INTEGER not null references jobs (id), line INTEGER not null, sku TEXT not null, quantity INTEGER not null,
  primary key (job_id, line));
insert into job_parts select no, rank() over (partition by no order by place), code, quantity
  from (select no, code, min(place) as place, sum(quantity) as quantity from item group by no, code);

drop table item; drop table job; drop table bike; drop table customer; drop table part; drop table days; drop table numbers;
pragma user_version = 7;
"""

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
oracle = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
(ws / "migration.sql").write_bytes(SQL.lstrip().encode())
rows = sorted(oracle["review_rows"](ws, SQL), key=lambda row: (row[3], -row[1]))
with open(ws / "review.csv", "w", encoding="utf-8-sig", newline="") as file:
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([oracle["COLUMNS"], *rows])
