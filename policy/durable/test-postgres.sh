#!/bin/bash
# Runs this module's tests against a PostgreSQL server of their own: started in a
# temporary directory by an unprivileged user, reached by a unix socket, stopped and
# removed at the end. Needs the server's programs (Debian: package postgresql).
#
#	./test-postgres.sh                 all tests, a worker is killed 50 times
#	./test-postgres.sh -run TestKill   arguments go to "go test"
set -euo pipefail
cd "$(dirname "$0")"

bin=$(dirname "$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -1 || command -v initdb || true)")
if [ ! -x "$bin/initdb" ]; then
	echo "no PostgreSQL server found; on Debian: apt-get install postgresql" >&2
	exit 1
fi

dir=$(mktemp -d)
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then # the server refuses to run as root
	chown postgres "$dir"
	as() { runuser -u postgres -- "$@"; }
fi
chmod 755 "$dir"
stop() {
	as "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1 || true
	rm -rf "$dir"
}
trap stop EXIT

cd "$dir"
as "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 >/dev/null
as "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/log" start \
	-o "-c listen_addresses='' -c unix_socket_directories='$dir' -c max_connections=200" >/dev/null || { cat "$dir/log" >&2; exit 1; }
cd - >/dev/null

export RESILINT_POSTGRES="host=$dir user=postgres dbname=postgres sslmode=disable"
export RESILINT_KILLS=${RESILINT_KILLS:-50}
go test -race -count=1 -timeout 20m "$@" "${PACKAGES:-./...}"
