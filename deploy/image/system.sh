#!/bin/sh
# Unpacks Debian's Python and what it is built on into a directory, with a user for it.
# Usage, as root on a Debian: system.sh DIRECTORY
set -eu
archives=$(mktemp -d)

apt-get update
# Of a system on which nothing is installed, all that these need is fetched.
apt-get install --yes --no-install-recommends --download-only \
    -o Dir::State::status=/dev/null -o Dir::Cache::archives="$archives" \
    base-files busybox libstdc++6 netbase python3

mkdir -p "$1/var/lib/dpkg/status.d"
for package in "$archives"/*.deb; do
    dpkg-deb --extract "$package" "$1"
    # Scanners for known vulnerabilities read what is in an image there.
    dpkg-deb --field "$package" > "$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$package" Package)"
done
cd "$1"
rm -rf usr/share/doc usr/share/man usr/share/info usr/share/locale usr/share/lintian \
    usr/share/perl* usr/lib/*/perl* usr/lib/*/gconv

# Postgres' own programs start each other by a shell; wget asks for the health.
for name in sh cat ls wget; do ln -sf busybox "usr/bin/$name"; done
echo 'root:x:0:0:root:/root:/bin/sh
festinger:x:10001:10001::/data:/bin/sh' > etc/passwd
echo 'root:x:0:
festinger:x:10001:' > etc/group
mkdir -p data && chown 10001:10001 data
