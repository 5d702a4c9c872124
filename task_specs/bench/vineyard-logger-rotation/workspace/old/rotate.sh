#!/bin/sh
# winter tidying, R.S. 2023. By hand, look first!
cd /srv/loggers || exit 1
find archive -name '*.csv' -mtime +30 -exec gzip {} +
find archive -name '*.csv.gz' -mtime +400 -delete
# incoming: by hand
