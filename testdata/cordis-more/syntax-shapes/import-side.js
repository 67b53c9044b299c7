// comment first

import './x.js'
return () => {}
