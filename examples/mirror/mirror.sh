#!/bin/sh
# Makes a copy of the pages of a web archive that can be read where it is, and checks that no link in it leads to nothing.
#
#     examples/mirror/mirror.sh FOLDER ARCHIVE…
#
# FOLDER is new or empty. An archive is a WARC, ARC or WACZ file: `wget --warc-file=crawl --recursive --page-requisites URL` makes one.
set -eu
folder=$1
shift
status=0
# After damage, the rest of an archive is read.
relref rewrite --mirror --output "$folder" "$@" || status=$?
# What the crawler has not fetched has an absolute URI, which is not checked.
relref check "$folder" || status=$?
echo "open $folder/index.html"
exit $status
