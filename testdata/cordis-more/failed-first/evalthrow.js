throw new RangeError('eval threw')
