#!/usr/bin/env node
return () => {}
