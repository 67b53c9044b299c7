package compose

// IsDate is isDate for its fuzz test; what it accepts is seen in Receipts.
var IsDate = isDate
