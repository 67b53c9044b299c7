import fs from 'fs'
return () => {}
