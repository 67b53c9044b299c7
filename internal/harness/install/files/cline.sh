#!/bin/sh
# @@MARK@@
command -v @@WORD@@ >/dev/null 2>&1 || { echo '{"cancel":false}'; exit 0; }
exec @@COMMAND@@
