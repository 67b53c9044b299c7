package cordiscmd

import "slices"

// English and Chinese are all that the commands say.
var English, Chinese = slices.Concat(english, faultsEnglish, helpEnglish), slices.Concat(chinese, faultsChinese, helpChinese)
