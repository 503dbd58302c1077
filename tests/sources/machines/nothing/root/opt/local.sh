#!/bin/sh
echo "it's open
/usr/local/bin/other
